import type { ThreadMessage } from '@majlis/console-api';
import { t } from '../../words/words.ts';
import styles from './sources.module.css';

/** What an AI agent's answer rests on. */
export function Sources({ sources }: { sources: NonNullable<ThreadMessage['sources']> }) {
  return (
    <details className={styles.sources}>
      <summary>{t('thread.sources', { count: sources.length })}</summary>
      <ul>
        {sources.map(({ title, quote }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the sources of an answer never change.
          <li key={at}>
            <strong dir="auto">{title}</strong>
            <q dir="auto">{quote}</q>
          </li>
        ))}
      </ul>
    </details>
  );
}
