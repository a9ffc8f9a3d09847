import { randomUUID } from 'node:crypto';
import { limits } from '@majlis/contract';
import { unknownOutcomeSeconds } from '@majlis/testing/faults/until-settled';
import { newDigits } from '@majlis/testing/messages';
import { platformStatus } from '@majlis/testing/notifications';
import { acceptSend, cutConnection } from '@majlis/testing/scripted-platform';
import { orderReady } from '../clock-workspace.ts';
import { hour, type RuleGroup, second } from '../rule.ts';

const key_ms = limits.idempotency_key_seconds * 1000;

export const sendingRules: RuleGroup = {
  rules: [
    {
      name: 'an idempotency key is remembered for 24 hours',
      async open({ api, nowMs }) {
        const body = { to: `+${newDigits()}`, kind: 'template', template: orderReady };
        const send = async (key: string): Promise<string> =>
          (await api.post('/messages', body, { 'idempotency-key': key })).body.id;
        // A key of its own for each reading: the first one after the edge begins 24 hours anew.
        const sent: { key: string; id: string }[] = [];
        for (const key of ['one', 'two', 'three']) sent.push({ key, id: await send(key) });
        const observe = async () => {
          const { key, id } = sent.pop()!;
          return (await send(key)) === id;
        };
        return { edge_ms: nowMs() + key_ms, observe };
      },
      before: true,
      after: false,
    },
    {
      name: 'an unknown outcome fails when the reconcile window ends',
      async open({ api, platform, sendTemplate, nowMs, settled }) {
        platform.script(cutConnection);
        const { id } = await sendTemplate();
        await settled();
        platform.script(acceptSend);
        const observe = async () => (await api.get(`/messages/${id}`)).body.status;
        return { edge_ms: nowMs() + unknownOutcomeSeconds * 1000, observe };
      },
      before: 'queued',
      after: 'failed',
      comes: true,
    },
  ],
  schedules: [
    {
      name: 'a status that comes before the answer to its send is looked at again 7 times',
      delays_ms: [1, 2, 5, 15, 60, 300, 600].map((seconds) => seconds * second),
      spread_ms: () => 0,
      ends: true,
      async open({ api, platform, sendTemplate, report, settled }) {
        const early = Array.from({ length: 8 }, () => `wamid.${randomUUID()}`);
        await report({ statuses: early.map((wamid) => platformStatus(wamid, 'read')) });
        const messages: string[] = [];
        return {
          async prepare() {
            const wamid = early[messages.length];
            platform.script((call) => acceptSend(call, wamid));
            messages.push((await sendTemplate()).id);
            await settled();
          },
          async made() {
            const read = await Promise.all(messages.map((id) => api.get(`/messages/${id}`)));
            return read.filter(({ body }) => body.status === 'read').length;
          },
        };
      },
    },
  ],
  sweeps: [
    {
      name: 'the rows of idempotency keys that are no longer remembered go, every hour',
      kind: 'http.forget_keys',
      every_ms: hour,
      keeps_ms: key_ms,
      async open({ api, sql }) {
        const body = { to: `+${newDigits()}`, kind: 'template', template: orderReady };
        return {
          async make() {
            const key = randomUUID();
            await api.post('/messages', body, { 'idempotency-key': key });
            return key;
          },
          isThere: async (key) => [(await sql('select from idempotency_keys where key = $1', [key])).length > 0],
        };
      },
    },
  ],
};
