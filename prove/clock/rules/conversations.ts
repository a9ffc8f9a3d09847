import { limits } from '@majlis/contract';
import { newDigits } from '@majlis/testing/messages';
import { hour, minute, type RuleContext, type RuleGroup } from '../rule.ts';

const window_ms = limits.window_seconds * 1000;
const text = { kind: 'text', body: 'Hello' };

export const conversationRules: RuleGroup = {
  rules: [
    {
      name: 'the 24-hour window',
      async open(context) {
        const { conversation } = await context.receive();
        return { edge_ms: wholeSecond(context) + window_ms, observe: () => sendsOf(context, conversation) };
      },
      before: [201, 201],
      after: [409, 409],
    },
    {
      name: 'the window counts from the moment that the platform names',
      async open(context) {
        const written_ms = wholeSecond(context) - 90 * minute;
        const { conversation } = await context.receive({ written_ms });
        return { edge_ms: written_ms + window_ms, observe: () => sendsOf(context, conversation) };
      },
      before: [201, 201],
      after: [409, 409],
    },
    {
      name: 'an older message does not move the end of the window back',
      async open(context) {
        const [digits, written_ms] = [newDigits(), wholeSecond(context)];
        const { conversation } = await context.receive({ digits, written_ms });
        await context.receive({ digits, written_ms: written_ms - hour });
        return { edge_ms: written_ms + window_ms, observe: () => sendsOf(context, conversation) };
      },
      before: [201, 201],
      after: [409, 409],
    },
    {
      name: 'the satisfaction survey of a closing is sent while the window is open',
      async open(context) {
        const heard = [await context.receive(), await context.receive(), await context.receive()];
        const observe = async () => {
          const place = `/conversations/${heard.pop()!.conversation}`;
          await context.api.post(`${place}/close`, { send_csat: true });
          return (await context.api.get(`${place}/messages`)).body.data.at(-1).kind;
        };
        return { edge_ms: wholeSecond(context) + window_ms, observe };
      },
      before: 'text',
      after: 'note',
    },
    {
      name: 'a snoozed conversation is left out until it wakes',
      async open({ api, receive, nowMs }) {
        const { conversation } = await receive();
        const edge_ms = nowMs() + 90 * minute;
        await api.post(`/conversations/${conversation}/snooze`, { until: new Date(edge_ms).toJSON() });
        const listed = async (): Promise<{ id: string }[]> => (await api.get('/conversations?limit=100')).body.data;
        return { edge_ms, observe: async () => (await listed()).some(({ id }) => id === conversation) };
      },
    },
    {
      name: 'a conversation is not snoozed until a moment that has come',
      async open({ api, receive, nowMs }) {
        const { conversation } = await receive();
        const edge_ms = nowMs() + minute;
        const until = new Date(edge_ms).toJSON();
        return {
          edge_ms,
          observe: async () => (await api.post(`/conversations/${conversation}/snooze`, { until })).status,
        };
      },
      before: 200,
      after: 422,
    },
  ],
};

/** The platform has no milliseconds: it writes the second that has begun. */
function wholeSecond({ nowMs }: RuleContext): number {
  return Math.floor(nowMs() / 1000) * 1000;
}

/** A text in the conversation, and one to its contact. */
async function sendsOf({ api }: RuleContext, conversation: string): Promise<number[]> {
  const { contact_id } = (await api.get(`/conversations/${conversation}`)).body;
  const inside = await api.post(`/conversations/${conversation}/messages`, text);
  return [inside.status, (await api.post('/messages', { contact_id, ...text })).status];
}
