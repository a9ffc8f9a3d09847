import { acceptSend, rejectSend } from '@majlis/testing/scripted-platform';
import { day, minute, type RuleContext, type RuleGroup, type Schedule, second } from '../rule.ts';

/** By the platform's table of errors. */
const codes = { credentials: 190, unavailable: 131_016, throughput: 130_429, pair: 131_056, doubtful: 131_000 };

export const retryRules: RuleGroup = {
  rules: [
    {
      name: 'a number whose credentials were refused is left alone for 30 seconds',
      async open(context) {
        await attempt(context, 'credentials');
        const { platform, sendTemplate, nowMs, settled } = context;
        platform.script(acceptSend);
        const observe = async () => {
          const { id } = await sendTemplate();
          await settled();
          return callsFor(context, id) > 0;
        };
        return { edge_ms: nowMs() + 30 * second, observe };
      },
    },
  ],
  schedules: [
    // Until a quarter more, so that numbers which were slowed down together do not return together.
    tries('throughput', 'more than the number may send in a second: again after a second', [1, 1, 1], (ms) => ms / 4),
    tries(
      'pair',
      'more than a customer may get: again after 1, 4, 16, 64 and 256 s',
      [1, 4, 16, 64, 256, 256],
      () => 0,
    ),
    // Up to a fifth more, and a minute at most.
    tries('unavailable', 'a platform that is away: again after 1, 2, 4 … 60 s', [1, 2, 4, 8, 16, 32, 60, 60], (ms) =>
      Math.min(ms / 5, minute - ms),
    ),
    tries(
      'doubtful',
      'an error that may be of the message itself: again after 1 and 2 s',
      [1, 2],
      (ms) => ms / 5,
      true,
    ),
  ],
  age_rules: [
    {
      name: 'a message that cannot be handed over is given up after more than 24 hours',
      age_ms: day,
      async open(context) {
        const { api, platform, sendTemplate, moveTo, settled } = context;
        await recover(context);
        // This refusal delays its own conversation alone. One that pauses the number could keep a message from its try.
        platform.script((call) => rejectSend(call, codes.pair));
        return {
          make: async () => (await sendTemplate()).id,
          async meet(edge_ms) {
            await moveTo(edge_ms);
            await settled();
            platform.script(acceptSend);
            await moveTo(edge_ms + 10 * minute);
            await settled();
          },
          observe: async (id) => (await api.get(`/messages/${id}`)).body.status,
        };
      },
      expected: ['queued', 'queued', 'failed'],
    },
  ],
};

/** Lets what was refused before be sent, so that nothing waits for the number any more. */
async function recover({ platform, moveTo, nowMs, settled }: RuleContext): Promise<void> {
  platform.script(acceptSend);
  await moveTo(nowMs() + 10 * minute);
  await settled();
}

/** Sends a message that the platform refuses with this code; answers its id. */
async function attempt(context: RuleContext, code: keyof typeof codes): Promise<string> {
  const { platform, sendTemplate, settled } = context;
  await recover(context);
  platform.script((call) => rejectSend(call, codes[code]));
  const { id } = await sendTemplate();
  await settled();
  return id;
}

function callsFor({ platform }: RuleContext, id: string): number {
  return platform.calls.filter(({ callback_data }) => callback_data === id).length;
}

/** The calls for a message that the platform refuses with this code each time. */
function tries(
  code: keyof typeof codes,
  name: string,
  delays_seconds: number[],
  spread_ms: Schedule['spread_ms'],
  ends = false,
): Schedule {
  return {
    ...{ name, spread_ms, ends },
    delays_ms: delays_seconds.map((seconds) => seconds * second),
    async open(context) {
      const id = await attempt(context, code);
      return { made: () => callsFor(context, id) };
    },
  };
}
