import type { Proposal } from '@majlis/console-api';
import { ClipboardCheck } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../words/words.ts';
import { ProposalCard } from './proposal-card.tsx';
import styles from './proposals.module.css';
import { type DecisionAct, focusAfter, useDecisionCommands } from './use-decision-commands.ts';

// In a conversation, E closes it and N writes a note.
const acts: readonly DecisionAct[] = ['accept'];

/** What waits for a decision in the open conversation, above the field in which a person writes. */
export function ProposalStrip({ workspace_id, proposals }: { workspace_id: string; proposals: readonly Proposal[] }) {
  const place = useRef<HTMLElement>(null);
  useDecisionCommands(place, acts);
  function goOn({ id, conversation_id }: Proposal): void {
    focusAfter(place.current, id, document.querySelector<HTMLElement>(`[data-composer="${conversation_id}"]`));
  }
  return (
    <section ref={place} className={styles.strip} aria-label={t('proposals.strip')}>
      <p className={styles.stripTitle}>
        <ClipboardCheck size={16} aria-hidden />
        {t('proposals.strip')}
      </p>
      {proposals.map((proposal) => (
        <ProposalCard
          key={proposal.id}
          workspace_id={workspace_id}
          proposal={proposal}
          onDecided={() => goOn(proposal)}
        />
      ))}
    </section>
  );
}
