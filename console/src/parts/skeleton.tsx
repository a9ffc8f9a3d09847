import { t } from '../words/words.ts';
import styles from './skeleton.module.css';

/** How many pieces each shape has: enough for most screens, since what is too much is cut off. */
const pieces = { conversations: 12, thread: 7, panel: 8, rows: 6 };

interface Props {
  /** What comes: conversations, a thread, the panel of a contact, or the rows of a page. */
  shape: keyof typeof pieces;
}

/**
 * The shape of what is being loaded, in its place. It stands still, and shows itself only where the loading takes longer than a
 * moment.
 */
export function Skeleton({ shape }: Props) {
  return (
    <div className={styles.skeleton} data-shape={shape} data-skeleton role="status">
      <span className={styles.label}>{t('app.loading')}</span>
      {Array.from({ length: pieces[shape] }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are all alike.
        <div key={index} className={styles.piece} aria-hidden>
          <span className={styles.mark} />
          <span className={styles.first} />
          <span className={styles.second} />
        </div>
      ))}
    </div>
  );
}

/** A page with its title, before its code is there. */
export function PageSkeleton() {
  return (
    <div className={styles.page}>
      <span className={styles.title} aria-hidden />
      <Skeleton shape="rows" />
    </div>
  );
}
