import { limits as figures, operations } from '@majlis/contract';
import type { Answer } from '../answer.ts';
import { defineArea } from '../clause.ts';
import type { Session } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

const { max } = figures.rate.requests;

export const limits = defineArea('limits', [
  [
    'requests',
    'All requests: 600 per minute per workspace; RateLimit-Limit says so.',
    async ({ client }) => {
      const { headers } = await client.call(operations.getKey);
      assertSame(Number(headers.get('ratelimit-limit') ?? Number.NaN), max, 'RateLimit-Limit');
    },
  ],
  [
    'remaining',
    'RateLimit-Remaining is what is left of RateLimit-Limit, RateLimit-Reset the seconds until reset.',
    async ({ client }) => {
      const { headers } = await client.call(operations.getKey);
      const [limit, left, reset] = ['limit', 'remaining', 'reset'].map((name) =>
        Number(headers.get(`ratelimit-${name}`)),
      );
      assertThat(left! >= 0 && left! <= limit!, `from 0 to ${limit} left`, `${left}`);
      assertThat(
        reset! >= 0 && reset! <= figures.rate.requests.interval_seconds,
        'at most 60 s until reset',
        `${reset}`,
      );
    },
  ],
  ['exceeded', 'Exceeding a limit gives 429 rate_limited with Retry-After in seconds.', exceed],
]);

/** Two windows and a bit: whatever the window is, one of these must be refused when all come within a minute. */
async function exceed({ client, options }: Session): Promise<void> {
  if (!options.limits) throw new NotChecked('needs --limits: it uses up the requests of a minute');
  const begun = performance.now();
  const answers: Answer[] = [];
  while (answers.length <= 2 * max && !answers.some(({ status }) => status === 429)) {
    answers.push(...(await Promise.all(Array.from({ length: 50 }, () => client.callOnce(operations.getKey)))));
  }
  if (performance.now() - begun > 60_000) throw new NotChecked('the requests took longer than a minute');
  // Its body and its header are judged with all the others, by answers.rate_limited.
  assertThat(
    answers.some(({ status }) => status === 429),
    '429',
    `${answers.length} requests within a minute, none refused`,
  );
}
