import assert from 'node:assert/strict';
import { eventually } from './eventually.ts';
import type { AnyJson } from './json.ts';
import type { Member } from './people.ts';
import type { TestWorkspace } from './start-test-service.ts';
import { startRun } from './workflows.ts';

export const proposalPath = (id: string, action = '') => `/proposals/${id}${action && `/${action}`}`;

/** The proposals that the person may decide, of one conversation or of all. */
export async function listProposals(member: Member, conversation_id?: string): Promise<AnyJson[]> {
  const query = conversation_id === undefined ? '' : `?conversation_id=${conversation_id}`;
  return (await member.at('GET', `/proposals${query}`)).body.data;
}

/** Waits until something else is proposed in a conversation than `former`. */
export async function untilProposed(member: Member, conversation_id: string, former?: AnyJson): Promise<AnyJson> {
  const [proposal] = await eventually(
    () => listProposals(member, conversation_id),
    ([first]) => first !== undefined && first.id !== former?.id,
  );
  return proposal!;
}

export async function readProposal(member: Member, { id }: AnyJson): Promise<AnyJson> {
  return (await member.at('GET', proposalPath(id))).body;
}

export const accept = (member: Member, { id }: AnyJson, body: object = {}) =>
  member.at('POST', proposalPath(id, 'accept'), body);
export const refuse = (member: Member, { id }: AnyJson, body: object = {}) =>
  member.at('POST', proposalPath(id, 'refuse'), body);

export async function countWaiting(member: Member): Promise<number> {
  const { status, body } = await member.at('GET', '/proposals/count');
  assert.equal(status, 200, JSON.stringify(body));
  return body.waiting;
}

/** The definition of a workflow that people may write beside. Its runs propose the text in the variable `text`. */
export const proposing = {
  trigger: 'api_call',
  control: 'human',
  steps: [{ do: 'send_message', text: '{{trigger.variables.text}}', approval_within: '30d' }],
};

/** Proposes a text to a contact by a run of such a workflow. Answers the proposal. */
export async function proposeText(
  workspace: TestWorkspace,
  member: Member,
  workflow_id: string,
  { contact_id, conversation_id, text }: { contact_id: string; conversation_id: string; text: string },
): Promise<AnyJson> {
  await startRun(workspace, workflow_id, { id: contact_id }, { text });
  return untilProposed(member, conversation_id);
}
