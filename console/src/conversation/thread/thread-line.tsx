import { Suspense } from 'react';
import { useToday } from '../../live/clock.ts';
import { lazyPiece } from '../../parts/lazy-piece.ts';
import { isolated } from '../../words/isolated.ts';
import { t } from '../../words/words.ts';
import { ChangeLine } from './change-line.tsx';
import { MessageBubble } from './message-bubble.tsx';
import { PendingBubble } from './pending-bubble.tsx';
import { nameOfSender } from './people.ts';
import styles from './thread-line.module.css';
import type { ThreadRow } from './thread-rows.ts';
import { dayInWords } from './times.ts';

const ScheduledBubble = lazyPiece(async () => (await import('../scheduled/scheduled-bubble.tsx')).ScheduledBubble);

interface Props {
  row: ThreadRow;
  workspace_id: string;
  contact_name: string;
  isReachable: boolean;
  isFlashing: boolean;
  /** Without what can be done with it. */
  isBare: boolean;
  onJump: (id: string) => void;
}

/** One line of the thread, by its type. */
export function ThreadLine({ row, ...more }: Props) {
  switch (row.type) {
    case 'day':
      return <DayLine at={row.at} />;
    case 'unread':
      return (
        <p className={styles.unread} data-unread>
          <span>{t('thread.unread')}</span>
        </p>
      );
    case 'message':
      return <MessageBubble {...more} message={row.message} reactions={row.reactions} isFirst={row.isFirst} />;
    case 'reaction': {
      const { reaction, created_at } = row.message;
      const name = nameOfSender(row.message, more.contact_name);
      return (
        <p className={styles.small} dir="auto">
          <time dateTime={created_at} />
          {t('thread.reacted_earlier', { name: isolated(name), emoji: reaction?.emoji ?? '' })}
        </p>
      );
    }
    case 'change':
      return <ChangeLine change={row.change} contact_name={more.contact_name} />;
    case 'pending':
      return <PendingBubble pending={row.pending} />;
    case 'scheduled':
      return (
        <Suspense>
          <ScheduledBubble workspace_id={more.workspace_id} message={row.message} />
        </Suspense>
      );
  }
}

export function DayLine({ at }: { at: string }) {
  return (
    <p className={styles.day}>
      <time dateTime={at.slice(0, 10)}>{dayInWords(at, useToday())}</time>
    </p>
  );
}
