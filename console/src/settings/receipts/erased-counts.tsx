import type { ErasedCounts } from '@majlis/console-api';
import { currentLocale, t } from '../../words/words.ts';
import styles from './receipts.module.css';

/** What an erasure deletes or has deleted, by kind. Kinds without anything are left out. */
export function ErasedCountsList({ counts }: { counts: ErasedCounts }) {
  const format = new Intl.NumberFormat(currentLocale());
  const shown = (Object.keys(kindWords) as (keyof ErasedCounts)[]).filter((kind) => counts[kind] > 0);
  if (shown.length === 0) return <p className={styles.nothing}>{t('receipts.nothing')}</p>;
  return (
    <dl className={styles.counts}>
      {shown.map((kind) => (
        <div key={kind} data-kind={kind}>
          <dt>{t(kindWords[kind])}</dt>
          <dd>{format.format(counts[kind])}</dd>
        </div>
      ))}
    </dl>
  );
}

/** In the order in which people read them. */
const kindWords = {
  messages: 'receipts.kind_messages',
  notes: 'receipts.kind_notes',
  files: 'receipts.kind_files',
  conversations: 'receipts.kind_conversations',
  identities: 'receipts.kind_identities',
  consent_records: 'receipts.kind_consent_records',
  drafts: 'receipts.kind_drafts',
  scheduled_messages: 'receipts.kind_scheduled_messages',
  proposals: 'receipts.kind_proposals',
  broadcast_recipients: 'receipts.kind_broadcast_recipients',
  workflow_runs: 'receipts.kind_workflow_runs',
  ai_answers: 'receipts.kind_ai_answers',
  events: 'receipts.kind_events',
  stored_answers: 'receipts.kind_stored_answers',
  saved_views: 'receipts.kind_saved_views',
  import_rows: 'receipts.kind_import_rows',
} as const satisfies Record<keyof ErasedCounts, string>;
