import type { Proposal } from '@majlis/console-api';
import { ClipboardCheck } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../words/words.ts';
import { ProposalRow } from './proposal-row.tsx';
import styles from './proposals.module.css';
import { type DecisionAct, focusAfter, useDecisionCommands } from './use-decision-commands.ts';

// In a conversation, E closes it and N writes a note.
const acts: readonly DecisionAct[] = ['accept'];

interface Props {
  workspace_id: string;
  waiting: readonly Proposal[];
  /** Those whose text the person is changing: they stay after their end, with the text. */
  edited: readonly Proposal[];
}

/** What waits for a decision in the open conversation, above the field in which a person writes. */
export function ProposalStrip({ workspace_id, waiting, edited }: Props) {
  const place = useRef<HTMLElement>(null);
  useDecisionCommands(place, acts);
  function goOn({ id, conversation_id }: Proposal): void {
    focusAfter(place.current, id, document.querySelector<HTMLElement>(`[data-composer="${conversation_id}"]`));
  }
  const ended = edited.filter(({ id }) => !waiting.some((one) => one.id === id));
  const row = (proposal: Proposal, current?: Proposal) => (
    <ProposalRow
      key={proposal.id}
      workspace_id={workspace_id}
      id={proposal.id}
      waiting={current}
      known={proposal}
      onDecided={() => goOn(proposal)}
    />
  );
  // One list, so that a proposal that ends keeps its field and the focus in it.
  const rows = [
    ended.length > 0 && <Title key="ended" text={t('proposals.strip_ended')} />,
    ...ended.map((proposal) => row(proposal)),
    waiting.length > 0 && <Title key="waiting" text={t('proposals.strip')} />,
    ...waiting.map((proposal) => row(proposal, proposal)),
  ];
  return (
    <section ref={place} className={styles.strip} aria-label={t('proposals.title')}>
      {rows}
    </section>
  );
}

function Title({ text }: { text: string }) {
  return (
    <p className={styles.stripTitle}>
      <ClipboardCheck size={16} aria-hidden />
      {text}
    </p>
  );
}
