import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { joinClockWorkspace } from '../join-clock-workspace.ts';
import { type AgeRule, minute, type Rule, type RuleGroup, second } from '../rule.ts';

export const inboxRules: RuleGroup = {
  rules: [
    presenceRule('a person views a conversation for 30 seconds', {}, 30),
    presenceRule('a person types for as long as the browser says', { typing: 'reply', expires_in_seconds: 5 }, 5),
    ...(['from', 'until'] as const).map(
      (edge): Rule => ({
        name: `it is quiet ${edge} the minute that a person chose`,
        async open(context) {
          const person = await joinClockWorkspace(context);
          const edge_ms = (Math.floor(context.nowMs() / minute) + 2) * minute;
          const [from, until] = edge === 'from' ? [edge_ms, edge_ms + minute] : [edge_ms - minute, edge_ms];
          await person.at('PATCH', '/notification-settings', {
            timezone: 'UTC',
            quiet_hours: { from: timeOf(from), until: timeOf(until) },
          });
          return { edge_ms, observe: async () => (await person.at('GET', '/notification-settings')).body.quiet_now };
        },
        before: edge === 'until',
        after: edge === 'from',
      }),
    ),
  ],
  age_rules: [
    ...(['a message', 'a mention'] as const).map(
      (what): AgeRule => ({
        name: `${what} notifies for 15 minutes`,
        age_ms: 15 * minute,
        async open(context) {
          const [person, author] = [await joinClockWorkspace(context), await joinClockWorkspace(context)];
          const { conversation } = await context.receive();
          const { name } = (await person.get('/session')).body.person;
          const body = `@${name} look`;
          await person.at('PATCH', '/notification-settings', { conversations: 'all' });
          return {
            async make() {
              if (what === 'a message') return (await context.receive()).message;
              return (await author.at('POST', `/conversations/${conversation}/notes`, { body })).body.id;
            },
            meet: (edge_ms) => context.moveTo(edge_ms),
            observe: async (id) => (await person.at('GET', `/notices?message_ids=${id}`)).body.data.length,
          };
        },
        expected: [1, 1, 0],
      }),
    ),
    {
      name: 'what came before a person joined is read',
      age_ms: 0,
      async open(context) {
        const owner = await joinClockWorkspace(context);
        const conversations = new Map<string, string>();
        let newcomer = owner;
        return {
          async make() {
            const { conversation, message } = await context.receive({ digits: newDigits() });
            conversations.set(message, conversation);
            if (conversations.size === 2) newcomer = await joinClockWorkspace(context);
            return message;
          },
          meet: async () => {},
          async observe(message) {
            const path = `/read-marks?conversation_ids=${conversations.get(message)}`;
            return (await newcomer.at('GET', path)).body.data.map(({ unread_count }: AnyJson) => unread_count)[0];
          },
        };
      },
      expected: [1, 1, 0],
    },
    keptRule('a change with a position is kept for 15 minutes', 900, true),
    keptRule('a change without a position is kept for 3 minutes', 180, false),
  ],
};

function presenceRule(name: string, body: object, seconds: number): Rule {
  return {
    name,
    async open(context) {
      const [person, other] = [await joinClockWorkspace(context), await joinClockWorkspace(context)];
      const { conversation } = await context.receive();
      await person.at('PUT', `/conversations/${conversation}/presence`, body);
      const observe = async () => {
        const lists = [`/conversations/${conversation}/presences`, '/presences'];
        const answers = await Promise.all(lists.map((list) => other.at('GET', list)));
        return answers.map((answer) => answer.body.data.some(({ user_id }: AnyJson) => user_id === person.user_id));
      };
      return { edge_ms: context.nowMs() + seconds * second, observe };
    },
    before: [true, true],
    after: [false, false],
  };
}

/** The database's clock tells the age of a change. It stands still, so the changes are made in its past. */
function keptRule(name: string, seconds: number, hasPosition: boolean): AgeRule {
  return {
    name,
    age_ms: 0,
    async open({ sql, nowMs, moveTo, settled }) {
      let made = 0;
      return {
        async make() {
          // The first one is the oldest.
          const age_ms = seconds * second + 1 - made++;
          const [row] = await sql<{ id: string }>(
            `insert into live_changes (workspace_id, kind, position, changed_at)
             select gen_random_uuid(), 'channel', case when $1 then position + 1 end,
               still.clock_timestamp() - make_interval(secs => $2::float / 1000)
             from live_feed returning id`,
            [hasPosition, age_ms],
          );
          if (hasPosition) await sql('update live_feed set position = position + 1');
          return String(row!.id);
        },
        async meet() {
          await moveTo(nowMs() + minute);
          await settled();
        },
        observe: async (change) => (await sql('select from live_changes where id = $1', [change])).length,
      };
    },
    expected: [1, 1, 0],
  };
}

/** A time of day in UTC. */
function timeOf(ms: number): string {
  return new Date(ms).toJSON().slice(11, 16);
}
