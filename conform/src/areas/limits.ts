import { limits, operations } from '@majlis/contract';
import type { ApiResponse } from '../api-response.ts';
import { defineArea } from '../clause.ts';
import type { Session } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

const { max } = limits.rate.requests;

export const limitsArea = defineArea('limits', [
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
    'RateLimit-Remaining is at most RateLimit-Limit, RateLimit-Reset the seconds until reset.',
    async ({ client }) => {
      const { headers } = await client.call(operations.getKey);
      const [limit, left, reset] = ['limit', 'remaining', 'reset'].map((name) =>
        Number(headers.get(`ratelimit-${name}`)),
      );
      assertThat(left! >= 0 && left! <= limit!, `from 0 to ${limit} left`, `${left}`);
      assertThat(
        reset! >= 0 && reset! <= limits.rate.requests.interval_seconds,
        'at most 60 s until reset',
        `${reset}`,
      );
    },
  ],
  ['exceeded', 'Exceeding a limit gives 429 rate_limited with Retry-After in seconds.', exceedRequestLimit],
]);

/** Sends more than twice the limit within a minute: any window of a minute must refuse one of them. */
async function exceedRequestLimit({ client, options }: Session): Promise<void> {
  if (!options.limits) throw new NotChecked('needs --limits: it exhausts the requests of a minute');
  const begun = performance.now();
  const answers: ApiResponse[] = [];
  while (answers.length <= 2 * max && !answers.some(({ status }) => status === 429)) {
    const batch = await Promise.all(Array.from({ length: 50 }, () => client.callOnce(operations.getKey)));
    for (const answer of batch) answers.push(answer);
  }
  if (performance.now() - begun > 60_000) throw new NotChecked('the requests took longer than a minute');
  // The clause answers.rate_limited checks the body and the header.
  assertThat(
    answers.some(({ status }) => status === 429),
    '429',
    `${answers.length} requests within a minute, none refused`,
  );
}
