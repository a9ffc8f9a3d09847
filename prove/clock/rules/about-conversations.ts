import { limits } from '@majlis/contract';
import { newDigits } from '@majlis/testing/messages';
import { type Chapter, hour, minute, type Scene } from '../rule.ts';

const window_ms = limits.window_seconds * 1000;
const text = { kind: 'text', body: 'Hello' };

export const aboutConversations: Chapter = {
  rules: [
    {
      name: 'the 24-hour window',
      async open(scene) {
        const { conversation } = await scene.hear();
        return { edge_ms: wholeSecond(scene) + window_ms, look: () => sendsOf(scene, conversation) };
      },
      before: [201, 201],
      after: [409, 409],
    },
    {
      name: 'the window counts from the moment that the platform names',
      async open(scene) {
        const written_ms = wholeSecond(scene) - 90 * minute;
        const { conversation } = await scene.hear({ written_ms });
        return { edge_ms: written_ms + window_ms, look: () => sendsOf(scene, conversation) };
      },
      before: [201, 201],
      after: [409, 409],
    },
    {
      name: 'an older message does not move the end of the window back',
      async open(scene) {
        const [digits, written_ms] = [newDigits(), wholeSecond(scene)];
        const { conversation } = await scene.hear({ digits, written_ms });
        await scene.hear({ digits, written_ms: written_ms - hour });
        return { edge_ms: written_ms + window_ms, look: () => sendsOf(scene, conversation) };
      },
      before: [201, 201],
      after: [409, 409],
    },
    {
      name: 'the satisfaction survey of a closing is sent while the window is open',
      async open(scene) {
        const heard = [await scene.hear(), await scene.hear(), await scene.hear()];
        const look = async () => {
          const place = `/conversations/${heard.pop()!.conversation}`;
          await scene.api.post(`${place}/close`, { send_csat: true });
          return (await scene.api.get(`${place}/messages`)).body.data.at(-1).kind;
        };
        return { edge_ms: wholeSecond(scene) + window_ms, look };
      },
      before: 'text',
      after: 'note',
    },
    {
      name: 'a snoozed conversation is left out until it wakes',
      async open({ api, hear, nowMs }) {
        const { conversation } = await hear();
        const edge_ms = nowMs() + 90 * minute;
        await api.post(`/conversations/${conversation}/snooze`, { until: new Date(edge_ms).toJSON() });
        const listed = async (): Promise<{ id: string }[]> => (await api.get('/conversations?limit=100')).body.data;
        return { edge_ms, look: async () => (await listed()).some(({ id }) => id === conversation) };
      },
      before: false,
      after: true,
    },
    {
      name: 'a conversation is not snoozed until a moment that has come',
      async open({ api, hear, nowMs }) {
        const { conversation } = await hear();
        const edge_ms = nowMs() + minute;
        const until = new Date(edge_ms).toJSON();
        return {
          edge_ms,
          look: async () => (await api.post(`/conversations/${conversation}/snooze`, { until })).status,
        };
      },
      before: 200,
      after: 422,
    },
  ],
};

/** The platform has no milliseconds: it writes the second that has begun. */
function wholeSecond({ nowMs }: Scene): number {
  return Math.floor(nowMs() / 1000) * 1000;
}

/** A text in the conversation, and one to its contact. */
async function sendsOf({ api }: Scene, conversation: string): Promise<number[]> {
  const { contact_id } = (await api.get(`/conversations/${conversation}`)).body;
  const inside = await api.post(`/conversations/${conversation}/messages`, text);
  return [inside.status, (await api.post('/messages', { contact_id, ...text })).status];
}
