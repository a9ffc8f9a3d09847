import assert from 'node:assert/strict';
import { eventually } from './eventually.ts';
import type { AnyJson } from './json.ts';
import type { Member } from './people.ts';
import type { RunningService } from './start-test-service.ts';

export const scheduledPath = (conversation_id: string, id = '', action = '') =>
  `/conversations/${conversation_id}/scheduled-messages${id && `/${id}`}${action && `/${action}`}`;

/** A moment by the clock of the service, in so many seconds. */
export async function momentIn(majlis: Pick<RunningService, 'operator'>, seconds: number): Promise<string> {
  const { body } = await majlis.operator('GET', '/clock');
  return new Date(Date.parse(body.now) + seconds * 1000).toISOString();
}

/** Schedules a message for in an hour, unless something else is said. */
export async function schedule(
  majlis: Pick<RunningService, 'operator'>,
  member: Member,
  conversation_id: string,
  { content = { kind: 'text', body: 'See you' }, seconds = 3_600 }: { content?: object; seconds?: number } = {},
): Promise<AnyJson> {
  const send_at = await momentIn(majlis, seconds);
  const { status, body } = await member.at('POST', scheduledPath(conversation_id), { content, send_at });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** Waits until a scheduled message waits no more, and reads it. */
export function untilEnded(member: Member, { conversation_id, id }: AnyJson): Promise<AnyJson> {
  return eventually(
    async () => (await member.at('GET', scheduledPath(conversation_id, id))).body,
    ({ state }) => state !== 'scheduled',
  );
}

/** The texts that the business sent in a conversation. */
export async function sentTexts(member: Member, conversation_id: string): Promise<string[]> {
  const { body } = await member.at('GET', `/conversations/${conversation_id}/messages`);
  return body.data.filter(({ direction }: AnyJson) => direction === 'outbound').map((one: AnyJson) => one.body);
}
