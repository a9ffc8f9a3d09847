import type { ThreadMessage } from '@majlis/console-api';
import { Ellipsis, Reply, SmilePlus } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { quotedStore } from '../../composer/quoted.ts';
import { lazyClosable } from '../../parts/lazy-piece.ts';
import { t } from '../../words/words.ts';
import styles from './message-actions.module.css';

const ReactionPicker = lazyClosable(async () => (await import('./reaction-picker.tsx')).ReactionPicker);
const MessageMenu = lazyClosable(async () => (await import('./message-menu.tsx')).MessageMenu);

const Timeline = lazyClosable(async () => (await import('./timeline-dialog.tsx')).Timeline, 'tools');

interface Props {
  workspace_id: string;
  message: ThreadMessage;
  /** The reaction of the business, if any. */
  own: string | undefined;
  /** Whether Tab comes here: from the chosen message alone. */
  isReachable: boolean;
}

/** What can be done with a message. It shows beside the bubble under the pointer, or that has the focus. */
export function MessageActions({ workspace_id, message, own, isReachable }: Props) {
  const [open, setOpen] = useState<'reactions' | 'menu' | 'timeline'>();
  const reactions = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLButtonElement>(null);
  const tabIndex = isReachable ? 0 : -1;
  const isNote = message.kind === 'note';
  // A popover that closes late must not close the dialog that was opened from it.
  const close = () => setOpen((now) => (now === 'timeline' ? now : undefined));
  return (
    <div className={styles.actions} data-open={open}>
      {!isNote && (
        <>
          <button
            ref={reactions}
            type="button"
            tabIndex={tabIndex}
            aria-label={t('thread.react')}
            title={t('thread.react')}
            aria-haspopup="dialog"
            aria-expanded={open === 'reactions'}
            onClick={() => setOpen('reactions')}
          >
            <SmilePlus size={16} aria-hidden />
          </button>
          <button
            type="button"
            tabIndex={tabIndex}
            aria-label={t('thread.reply')}
            title={t('thread.reply')}
            onClick={() => quotedStore.set(message)}
          >
            <Reply size={16} data-directional aria-hidden />
          </button>
        </>
      )}
      <button
        ref={menu}
        type="button"
        tabIndex={tabIndex}
        aria-label={t('thread.more')}
        title={t('thread.more')}
        aria-haspopup="menu"
        aria-expanded={open === 'menu'}
        onClick={() => setOpen('menu')}
      >
        <Ellipsis size={16} aria-hidden />
      </button>
      <Suspense>
        {open === 'reactions' && (
          <ReactionPicker workspace_id={workspace_id} message={message} own={own} trigger={reactions} onClose={close} />
        )}
        {open === 'menu' && (
          <MessageMenu
            workspace_id={workspace_id}
            message={message}
            trigger={menu}
            onTimeline={() => setOpen('timeline')}
            onClose={close}
          />
        )}
        {open === 'timeline' && (
          <Timeline workspace_id={workspace_id} message_id={message.id} onClose={() => setOpen(undefined)} />
        )}
      </Suspense>
    </div>
  );
}
