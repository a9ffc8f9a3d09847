import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createApi } from '../api.ts';
import type { AnyJson } from '../json.ts';
import { samples, uploadFile } from '../media.ts';
import { callOperator } from '../operator.ts';
import type { FaultEnvironment } from './fault-environment.ts';
import { type FaultWorkspace, orderReadyTemplate } from './fault-workspace.ts';
import { untilSettled } from './until-settled.ts';

/** All of them at once are more than the service of a busy machine answers in its time. */
const atOnce = 5;

/** A contact with data of each kind that the service stores about people. */
export interface PersonWithData {
  /** A text that occurs in all data of this contact and nowhere else. */
  canary: string;
  digits: string;
  contact_id: string;
  conversation_id: string;
  /** Only every third contact has a file: the service uploads few files at a time. */
  media_id?: string;
  /** The messages whose sends were acknowledged. */
  message_ids: string[];
}

/**
 * Creates contacts of the customers with tags, notes, a closing, a file, a workflow run and a broadcast, each under an
 * idempotency key. Contact n is a recipient of broadcast `n % broadcasts`.
 */
export async function createPeople(
  environment: FaultEnvironment,
  url: string,
  { key, customers, phone_number_id }: FaultWorkspace,
  broadcasts: number,
): Promise<PersonWithData[]> {
  const [workspace] = await environment.sql<{ name: string }>('select name from workspaces');
  const { workflows } = await callOperator(url, 'PUT', '/workspaces', { workspace, ...team });
  const api = createApi(url, key);

  async function make(place: string, body: object): Promise<AnyJson> {
    const reply = await api.post(place, body, { 'idempotency-key': randomUUID() });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  }
  async function meet(digits: string, n: number): Promise<PersonWithData> {
    const canary = `canary${1000 + n}`;
    const identities = [{ channel_type: 'chatapp', identifier: `+${digits}` }];
    const named = { name: `${canary} Name`, email: `${canary}@example.com`, tags: [canary] };
    const { id: contact_id } = await make('/contacts', { identities, ...named });
    const file = n % 3 === 0 ? { media_id: await uploadFor(canary) } : undefined;
    const content = file ? { kind: 'image', ...file } : { kind: 'text' };
    const { id, conversation_id } = await make('/messages', { contact_id, ...content, body: canary });
    await make(`/conversations/${conversation_id}/notes`, { body: `@Omar ${canary}` });
    await make(`/conversations/${conversation_id}/close`, { summary: canary });
    await make(`/workflows/${workflows[0].id}/runs`, { contact: { id: contact_id }, variables: { canary } });
    environment.simulator.inject({ phone_number_id, from: digits, type: 'text', content: `I am ${canary}` });
    return { canary, digits, contact_id, conversation_id, ...file, message_ids: [id] };
  }
  async function uploadFor(canary: string): Promise<string> {
    const bytes = Buffer.concat([samples.png, Buffer.from(canary)]);
    return (await uploadFile({ url }, { key }, bytes, { filename: `${canary}.png` })).body.id;
  }

  const people: PersonWithData[] = [];
  for (let n = 0; n < customers.length; n += atOnce) {
    people.push(...(await Promise.all(customers.slice(n, n + atOnce).map((digits, place) => meet(digits, n + place)))));
  }
  for (const some of Map.groupBy(people, (_, n) => n % broadcasts).values()) {
    const recipients = some.map(({ digits }) => ({ to: `+${digits}` }));
    await make('/broadcasts', { name: 'Ready', template: orderReadyTemplate, audience: { recipients } });
  }
  await untilSettled(environment, url);
  return people;
}

const team = {
  users: [{ name: 'Omar Ali', email: 'omar@acme.example', role: 'agent' }],
  workflows: [
    {
      ...{ name: 'Greeting', status: 'published', trigger: 'api_call' },
      steps: [{ do: 'send_message', text: 'Welcome, {{trigger.variables.canary}}' }],
    },
  ],
};
