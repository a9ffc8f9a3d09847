import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AnyJson } from '@majlis/testing/json';
import { platformStatus } from '@majlis/testing/notifications';
import { dateOf, nextMidnight } from '../next-midnight.ts';
import type { Rule, RuleContext, RuleGroup } from '../rule.ts';

export const dayRules: RuleGroup = {
  rules: [
    ...(['day', 'week', 'month'] as const).map(
      (interval): Rule => ({
        name: `a ${interval} of the conversation analytics ends at midnight in the time zone of the workspace`,
        async open(context) {
          const edge_ms = nextMidnight(context.nowMs(), interval);
          const dates = `from=${dateOf(edge_ms - 1)}&to=${dateOf(edge_ms)}`;
          const read = async (member: 'new' | 'closed') => {
            const { data } = (await context.api.get(`/analytics/conversations?${dates}&interval=${interval}`)).body;
            return data.map((row: AnyJson) => row[member]);
          };
          const observe = async () => {
            let conversation = '';
            const begun = await gained(
              () => read('new'),
              async () => {
                conversation = (await context.receive()).conversation;
              },
            );
            const close = () => context.api.post(`/conversations/${conversation}/close`, {});
            return [begun, await gained(() => read('closed'), close)];
          };
          return { edge_ms, observe };
        },
        before: ['the one before', 'the one before'],
        after: ['the one behind', 'the one behind'],
      }),
    ),
    atMidnight(
      'a message counts in the analytics of the day on which it was accepted',
      send,
      async (context, date) => (await context.api.get(`/analytics/messages?from=${date}&to=${date}`)).body.sent,
    ),
    atMidnight('a message counts in the usage of the day on which it was accepted', send, (context, date) =>
      usageOf(context, date, 'messages_sent'),
    ),
    atMidnight('a priced conversation counts in the usage of the day of its report', send, (context, date) =>
      usageOf(context, date, 'conversations'),
    ),
    atMidnight('an AI credit counts in the usage of the day on which it was spent', compose, (context, date) =>
      usageOf(context, date, 'ai_credits'),
    ),
    {
      name: 'seats are those of the end of a day',
      async open(context) {
        const edge_ms = nextMidnight(context.nowMs(), 'day');
        const seats = () => usageOf(context, dateOf(edge_ms - 1), 'seats') as Promise<number>;
        const observe = async () => {
          const before = await seats();
          await context.apply({ users: [{ name: 'Omar', email: `${randomUUID()}@acme.example` }] });
          return (await seats()) - before;
        };
        return { edge_ms, observe };
      },
      before: 1,
      after: 0,
    },
  ],
};

/** What is done counts in the day that ends, and from midnight on in the one that begins. */
function atMidnight(
  name: string,
  work: (context: RuleContext) => Promise<unknown>,
  readDay: (context: RuleContext, date: string) => Promise<unknown>,
): Rule {
  return {
    name,
    async open(context) {
      const edge_ms = nextMidnight(context.nowMs(), 'day');
      const dates = [dateOf(edge_ms - 1), dateOf(edge_ms)];
      const read = () => Promise.all(dates.map((date) => readDay(context, date)));
      return { edge_ms, observe: () => gained(read, () => work(context)) };
    },
    before: 'the one before',
    after: 'the one behind',
  };
}

/** Of the two periods that meet at the edge, the one whose figure is another after the work. */
async function gained(read: () => Promise<unknown[]>, work: () => Promise<unknown>): Promise<string> {
  const before = await read();
  await work();
  const [isBefore, isBehind] = (await read()).map((figure, place) => !isDeepStrictEqual(figure, before[place]));
  if (isBefore === isBehind) return isBefore ? 'both' : 'neither';
  return isBefore ? 'the one before' : 'the one behind';
}

/** A message that the platform reports as delivered, with its price. */
async function send({ platform, sendTemplate, report, settled }: RuleContext): Promise<void> {
  const { id } = await sendTemplate();
  await settled();
  const pricing = { billable: true, pricing_model: 'PMP', category: 'utility' };
  await report({ statuses: [platformStatus(platform.wamids.get(id)!, 'delivered', { pricing })] });
}

async function compose({ api, receive, models }: RuleContext): Promise<void> {
  models.say('By the model.');
  await api.post(`/conversations/${(await receive()).conversation}/ai/compose`, {});
}

async function usageOf({ api }: RuleContext, date: string, member: string): Promise<unknown> {
  return (await api.get(`/usage?from=${date}&to=${date}`)).body[member];
}
