import { newDigits } from './messages.ts';
import { receiveText } from './notifications.ts';
import type { Member } from './people.ts';
import type { TestService, TestWorkspace } from './start-test-service.ts';

/** What people change of a conversation with one key. */
export interface ConversationState {
  assignee_id: string | undefined;
  status: string;
  snoozed_until: string | undefined;
}

export async function readConversationState(reader: Pick<Member, 'at'>, id: string): Promise<ConversationState> {
  const [conversation, state] = await Promise.all([
    reader.at('GET', `/conversations/${id}`),
    reader.at('GET', `/conversations/${id}/state`),
  ]);
  const { assignee_id, status } = conversation.body;
  return { assignee_id, status, snoozed_until: state.body.snoozed_until };
}

/** A conversation that is this person's, or nobody's: new ones go to agents in turn. */
export async function receiveAssigned(
  majlis: TestService,
  workspace: TestWorkspace,
  { assigner, assignee }: { assigner: Pick<Member, 'at'>; assignee: Pick<Member, 'user_id'> | null },
): Promise<string> {
  const id = await receiveText(majlis, workspace, newDigits());
  await assigner.at('POST', `/conversations/${id}/assign`, { assignee_id: assignee?.user_id ?? null });
  return id;
}
