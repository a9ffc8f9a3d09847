import type { Proposal } from '@majlis/console-api';
import { useLiveQuery } from './live-query.ts';
import { readOpening } from './opening.ts';
import { queries } from './queries.ts';

const none: readonly Proposal[] = [];

export const proposalsPathOf = (workspace_id: string) => `/workspaces/${workspace_id}/proposals`;
const pathIn = (workspace_id: string, conversation_id: string) =>
  `${proposalsPathOf(workspace_id)}?conversation_id=${conversation_id}`;

/** What waits for a decision in an open conversation. It follows the service. */
export function useProposals(workspace_id: string, conversation_id: string): readonly Proposal[] {
  const { data } = useLiveQuery<readonly Proposal[]>(
    pathIn(workspace_id, conversation_id),
    (change) => change.kind === 'proposal' && change.conversation_id === conversation_id,
    async () => (await readOpening(workspace_id, conversation_id)).proposals,
  );
  return data ?? none;
}

/** Shows what the person has just decided, before the stream tells it. */
export function proposalsChanged(workspace_id: string): Promise<void> {
  const start = proposalsPathOf(workspace_id);
  return queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith(start) });
}
