import type { ThreadMessage } from '@majlis/console-api';
import { Copy, History, Reply, SmilePlus } from 'lucide-react';
import type { RefObject } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import { quotedStore } from '../../composer/quoted.ts';
import popover from '../../parts/popover.module.css';
import { tell } from '../../parts/toasts.ts';
import { t } from '../../words/words.ts';
import { offeredReactions, react } from './react.ts';

interface Props {
  workspace_id: string;
  message: ThreadMessage;
  trigger: RefObject<HTMLElement | null>;
  onTimeline: () => void;
  onClose: () => void;
}

/** All actions on a message. */
export function MessageMenu({ workspace_id, message, trigger, onTimeline, onClose }: Props) {
  const isNote = message.kind === 'note';
  const text = message.body ?? message.caption;
  // On plain http, browsers have no clipboard.
  const canCopy = Boolean(text) && navigator.clipboard !== undefined;

  function act(action: string) {
    if (action === 'why') return onTimeline();
    if (action === 'reply') quotedStore.set(message);
    if (action === 'react') void react(workspace_id, message, offeredReactions[0]!);
    if (action === 'copy') void navigator.clipboard.writeText(text!).then(() => tell(t('app.copied')));
    onClose();
  }

  return (
    <Popover
      className={popover.popover!}
      aria-label={t('thread.more')}
      triggerRef={trigger}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Menu
        className={popover.items!}
        aria-label={t('thread.more')}
        onAction={(id) => act(String(id))}
        shouldFocusWrap
        autoFocus="first"
      >
        {!isNote && (
          <MenuItem id="reply" className={popover.item!} textValue={t('thread.reply')}>
            <Reply size={16} data-directional aria-hidden />
            {t('thread.reply')}
          </MenuItem>
        )}
        {!isNote && (
          <MenuItem id="react" className={popover.item!} textValue={t('thread.react')}>
            <SmilePlus size={16} aria-hidden />
            {t('thread.react_with', { emoji: offeredReactions[0]! })}
          </MenuItem>
        )}
        {canCopy && (
          <MenuItem id="copy" className={popover.item!} textValue={t('thread.copy')}>
            <Copy size={16} aria-hidden />
            {t('thread.copy')}
          </MenuItem>
        )}
        <MenuItem id="why" className={popover.item!} textValue={t('thread.why')}>
          <History size={16} aria-hidden />
          {t('thread.why')}
        </MenuItem>
      </Menu>
    </Popover>
  );
}
