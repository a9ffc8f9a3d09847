import type { ThreadMessage } from '@majlis/console-api';
import type { RefObject } from 'react';
import { Button, Dialog, Popover } from 'react-aria-components';
import { t } from '../../words/words.ts';
import { offeredReactions, react } from './react.ts';
import styles from './reaction-picker.module.css';

interface Props {
  workspace_id: string;
  message: ThreadMessage;
  own: string | undefined;
  trigger: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** A few emoji to react with. The chosen one is taken back by choosing it again. */
export function ReactionPicker({ workspace_id, message, own, trigger, onClose }: Props) {
  const emojis = own && !offeredReactions.includes(own) ? [own, ...offeredReactions] : offeredReactions;
  return (
    <Popover
      isOpen
      triggerRef={trigger}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      placement="top"
      className={styles.picker!}
    >
      <Dialog aria-label={t('thread.react')} className={styles.dialog!}>
        {emojis.map((emoji) => (
          <Button
            key={emoji}
            className={styles.emoji!}
            aria-label={t(emoji === own ? 'thread.react_remove' : 'thread.react_with', { emoji })}
            data-own={emoji === own || undefined}
            onPress={() => {
              void react(workspace_id, message, emoji === own ? '' : emoji);
              onClose();
            }}
          >
            {emoji}
          </Button>
        ))}
      </Dialog>
    </Popover>
  );
}
