import type { Proposal } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure, request } from '../live/request.ts';
import { userIn } from '../live/session.ts';
import { proposalPath } from './decide.ts';
import { dropEdit } from './edits.ts';
import { ProposalCard } from './proposal-card.tsx';

interface Props {
  workspace_id: string;
  id: string;
  /** Undefined once it waits no more. */
  waiting: Proposal | undefined;
  /** What is known of it before the first answer. */
  known?: Proposal | undefined;
  isInQueue?: boolean;
  onDecided: () => void;
}

/** A proposal that is shown on after its end, with what became of it. */
export function ProposalRow({ workspace_id, id, waiting, known, isInQueue = false, onDecided }: Props) {
  const [last, setLast] = useState(waiting ?? known);
  if (waiting && waiting !== last) setLast(waiting);
  const path = proposalPath(workspace_id, id);
  const ended = useQuery({
    queryKey: [path],
    queryFn: () => readEnded(workspace_id, id),
    enabled: waiting === undefined,
    staleTime: 0,
  });
  // Erased, or the person may not see it any more.
  if (!waiting && isNotFound(ended.error)) return null;
  const proposal = waiting ?? ended.data ?? last;
  if (!proposal) return null;
  const card = (
    <ProposalCard workspace_id={workspace_id} proposal={proposal} isInQueue={isInQueue} onDecided={onDecided} />
  );
  return isInQueue ? <li>{card}</li> : card;
}

const isNotFound = (error: unknown) => error instanceof Failure && error.code === 'not_found';

async function readEnded(workspace_id: string, id: string): Promise<Proposal> {
  try {
    const proposal = await request<Proposal>('GET', proposalPath(workspace_id, id));
    // The text was sent, and its answer was lost.
    if (proposal.is_edited && proposal.decided_by?.user_id === userIn(workspace_id)) dropEdit(id);
    return proposal;
  } catch (error) {
    if (isNotFound(error)) dropEdit(id);
    throw error;
  }
}
