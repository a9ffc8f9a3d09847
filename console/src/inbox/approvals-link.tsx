import { mostCountedProposals } from '@majlis/console-api/bounds';
import { ClipboardCheck } from 'lucide-react';
import { Link } from 'wouter';
import { useProposalCount } from '../live/proposal-count.ts';
import { t } from '../words/words.ts';
import styles from './inbox-page.module.css';

/** The way to what waits for the person's yes, with its number; nothing where nothing waits. */
export function ApprovalsLink({ workspace_id, counted }: { workspace_id: string; counted: number | undefined }) {
  const count = useProposalCount(workspace_id, counted);
  if (count === 0) return null;
  const shown = count >= mostCountedProposals ? `${mostCountedProposals}+` : String(count);
  const label = t('inbox.proposals', { count, shown });
  return (
    <Link href={`/w/${workspace_id}/proposals`} className={styles.approvals!} aria-label={label} title={label}>
      <ClipboardCheck size={16} aria-hidden />
      {t('nav.proposals')}
      <span className={styles.waiting}>{shown}</span>
    </Link>
  );
}
