import type { ScheduledMessage } from '@majlis/console-api';
import { useLiveQuery } from './live-query.ts';
import { readOpening } from './opening.ts';
import { queries } from './queries.ts';

const none: readonly ScheduledMessage[] = [];

export const scheduledPathOf = (workspace_id: string, conversation_id: string) =>
  `/workspaces/${workspace_id}/conversations/${conversation_id}/scheduled-messages`;

/** The messages of an open conversation that wait for their time or were refused at it. They follow the service. */
export function useScheduled(workspace_id: string, conversation_id: string): readonly ScheduledMessage[] {
  const { data } = useLiveQuery<readonly ScheduledMessage[]>(
    scheduledPathOf(workspace_id, conversation_id),
    (change) => change.kind === 'scheduled_message' && change.conversation_id === conversation_id,
    async () => (await readOpening(workspace_id, conversation_id)).scheduled,
  );
  return data ?? none;
}

/** Shows what the person has just done, before the stream tells it. */
export function scheduledChanged(workspace_id: string, conversation_id: string): void {
  void queries.invalidateQueries({ queryKey: [scheduledPathOf(workspace_id, conversation_id)] });
}
