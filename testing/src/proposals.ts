import assert from 'node:assert/strict';
import { eventually } from './eventually.ts';
import type { AnyJson } from './json.ts';
import type { Member } from './people.ts';

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
