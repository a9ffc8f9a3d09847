import { limits } from '@majlis/contract';
import { unknownOutcomeSeconds } from '../../server/test/faults/settle.ts';
import { eventually } from '../../server/test/support/eventually.ts';
import { newDigits } from '../../server/test/support/messages.ts';
import { accept } from '../../server/test/support/scripted-platform.ts';
import { template, type World } from './open-world.ts';

/** A rule about time: where its edge lies, and what must be seen before, on and after it. */
export interface Rule {
  name: string;
  /** Sets the scene now; answers the edge and what is to be looked at. */
  open(world: World): Promise<{ edge_ms: number; look(): Promise<unknown> }>;
  before: unknown;
  /** At the edge and from then on. */
  after: unknown;
  /** What comes after the edge is done by a worker: it is waited for. */
  comes?: boolean;
}

const hour = 3_600_000;
const day = 24 * hour;
const text = { kind: 'text', body: 'Hello' };
const greeting = { kind: 'template', template };

export const rules: readonly Rule[] = [
  {
    name: 'the 24-hour window',
    async open({ api, hear, nowMs }) {
      const conversation = await hear();
      const edge_ms = nowMs() + day;
      return {
        edge_ms,
        look: async () => (await api.post(`/conversations/${conversation}/messages`, text)).status,
      };
    },
    before: 201,
    after: 409,
  },
  {
    name: 'an idempotency key is remembered for 24 hours',
    async open({ api, nowMs }) {
      const to = `+${newDigits()}`;
      const send = async (key: string) =>
        (await api.post('/messages', { to, ...greeting }, { 'idempotency-key': key })).body.id as string;
      // A key of its own for each look: the first one after the edge begins 24 hours anew.
      const keys = ['one', 'two', 'three'];
      const ids: string[] = [];
      for (const key of keys) ids.push(await send(key));
      let looked = 0;
      return {
        edge_ms: nowMs() + limits.idempotency_key_seconds * 1000,
        look: async () => {
          const n = looked++ % keys.length;
          return (await send(keys[n]!)) === ids[n];
        },
      };
    },
    before: true,
    after: false,
  },
  {
    name: 'a snoozed conversation is left out until it wakes',
    async open({ api, hear, nowMs }) {
      const conversation = await hear();
      const edge_ms = nowMs() + 90 * 60_000;
      const snoozed = await api.post(`/conversations/${conversation}/snooze`, { until: new Date(edge_ms).toJSON() });
      if (snoozed.status !== 200) throw new Error(snoozed.text);
      return {
        edge_ms,
        look: async () =>
          (await api.get('/conversations?limit=100')).body.data.some(({ id }: { id: string }) => id === conversation),
      };
    },
    before: false,
    after: true,
  },
  {
    name: 'the name of a deleted template is blocked for 30 days',
    async open({ api, nowMs }) {
      const named = (name: string) => ({ ...draft, name });
      const names = ['one', 'two', 'three'];
      for (const name of names) {
        const { id } = (await api.post('/chatapp/templates', named(name))).body;
        await api.request('DELETE', `/chatapp/templates/${id}`);
      }
      let looked = 0;
      return {
        edge_ms: nowMs() + limits.template_name_block_seconds * 1000,
        look: async () => (await api.post('/chatapp/templates', named(names[looked++ % 3]!))).status,
      };
    },
    before: 422,
    after: 201,
  },
  {
    name: 'an unknown outcome fails when the reconcile window ends',
    async open({ api, platform, hear, nowMs, stage }) {
      const conversation = await hear();
      platform.script(({ response }) => response.socket!.destroy());
      const { id } = (await api.post(`/conversations/${conversation}/messages`, text)).body;
      const isUnknown = () => stage.sql(`select from jobs where kind = 'messages.expire_unknown_outcome'`);
      await eventually(isUnknown, (rows) => rows.length > 0, 60_000);
      platform.script(accept);
      return {
        edge_ms: nowMs() + unknownOutcomeSeconds * 1000,
        look: async () => (await api.get(`/messages/${id}`)).body.status,
      };
    },
    before: 'queued',
    after: 'failed',
    comes: true,
  },
  {
    name: 'a broadcast starts at send_at',
    async open({ api, nowMs }) {
      const edge_ms = nowMs() + 3 * day;
      const audience = { recipients: [{ to: `+${newDigits()}` }] };
      const body = { name: 'Ready', template, audience, send_at: new Date(edge_ms).toJSON() };
      const { id } = (await api.post('/broadcasts', body)).body;
      return {
        edge_ms,
        look: async () => (await api.get(`/broadcasts/${id}`)).body.status !== 'scheduled',
      };
    },
    before: false,
    after: true,
    comes: true,
  },
  {
    name: 'a workflow waits as long as it says',
    async open({ api, hear, nowMs, stage }) {
      const conversation = await hear();
      const { contact_id } = (await api.get(`/conversations/${conversation}`)).body;
      const [{ id: workflow }] = (await api.get('/workflows')).body.data;
      await api.post(`/workflows/${workflow}/runs`, { contact: { id: contact_id } });
      const waiting = () => stage.sql(`select from workflow_runs where status = 'running' and due_at is not null`);
      await eventually(waiting, (rows) => rows.length > 0, 60_000);
      return {
        edge_ms: nowMs() + 2 * hour,
        look: async () => (await api.get(`/conversations/${conversation}/messages`)).body.data.length,
      };
    },
    before: 1,
    after: 2,
    comes: true,
  },
];

const draft = { language: 'en', category: 'utility', components: [{ type: 'body', text: 'Hello.' }] };
