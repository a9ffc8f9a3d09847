import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AnyJson } from '@majlis/testing/json';
import { platformStatus } from '@majlis/testing/notifications';
import { dateOf, nextMidnight } from '../next-midnight.ts';
import type { Chapter, Rule, Scene } from '../rule.ts';

export const aboutDays: Chapter = {
  rules: [
    ...(['day', 'week', 'month'] as const).map(
      (interval): Rule => ({
        name: `a ${interval} of the conversation analytics ends at midnight in the time zone of the workspace`,
        async open(scene) {
          const edge_ms = nextMidnight(scene.nowMs(), interval);
          const dates = `from=${dateOf(edge_ms - 1)}&to=${dateOf(edge_ms)}`;
          const read = async (member: 'new' | 'closed') => {
            const { data } = (await scene.api.get(`/analytics/conversations?${dates}&interval=${interval}`)).body;
            return data.map((row: AnyJson) => row[member]);
          };
          const look = async () => {
            let conversation = '';
            const begun = await gained(
              () => read('new'),
              async () => {
                conversation = (await scene.hear()).conversation;
              },
            );
            const close = () => scene.api.post(`/conversations/${conversation}/close`, {});
            return [begun, await gained(() => read('closed'), close)];
          };
          return { edge_ms, look };
        },
        before: ['the one before', 'the one before'],
        after: ['the one behind', 'the one behind'],
      }),
    ),
    atMidnight(
      'a message counts in the analytics of the day on which it was accepted',
      send,
      async (scene, date) => (await scene.api.get(`/analytics/messages?from=${date}&to=${date}`)).body.sent,
    ),
    atMidnight('a message counts in the usage of the day on which it was accepted', send, (scene, date) =>
      usageOf(scene, date, 'messages_sent'),
    ),
    atMidnight('a priced conversation counts in the usage of the day of its report', send, (scene, date) =>
      usageOf(scene, date, 'conversations'),
    ),
    atMidnight('an AI credit counts in the usage of the day on which it was spent', compose, (scene, date) =>
      usageOf(scene, date, 'ai_credits'),
    ),
    {
      name: 'seats are those of the end of a day',
      async open(scene) {
        const edge_ms = nextMidnight(scene.nowMs(), 'day');
        const seats = () => usageOf(scene, dateOf(edge_ms - 1), 'seats') as Promise<number>;
        const look = async () => {
          const before = await seats();
          await scene.apply({ users: [{ name: 'Omar', email: `${randomUUID()}@acme.example` }] });
          return (await seats()) - before;
        };
        return { edge_ms, look };
      },
      before: 1,
      after: 0,
    },
  ],
};

/** What is done counts in the day that ends, and from midnight on in the one that begins. */
function atMidnight(
  name: string,
  work: (scene: Scene) => Promise<unknown>,
  readDay: (scene: Scene, date: string) => Promise<unknown>,
): Rule {
  return {
    name,
    async open(scene) {
      const edge_ms = nextMidnight(scene.nowMs(), 'day');
      const dates = [dateOf(edge_ms - 1), dateOf(edge_ms)];
      const read = () => Promise.all(dates.map((date) => readDay(scene, date)));
      return { edge_ms, look: () => gained(read, () => work(scene)) };
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
async function send({ platform, greet, report, settled }: Scene): Promise<void> {
  const { id } = await greet();
  await settled();
  const pricing = { billable: true, pricing_model: 'PMP', category: 'utility' };
  await report({ statuses: [platformStatus(platform.wamids.get(id)!, 'delivered', { pricing })] });
}

async function compose({ api, hear, models }: Scene): Promise<void> {
  models.say('By the model.');
  await api.post(`/conversations/${(await hear()).conversation}/ai/compose`, {});
}

async function usageOf({ api }: Scene, date: string, member: string): Promise<unknown> {
  return (await api.get(`/usage?from=${date}&to=${date}`)).body[member];
}
