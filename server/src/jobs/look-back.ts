import type { Claimed } from './queries.ts';

// What takes less is not worth being spared.
const longMs = 20;
// Claims that look at all there is take a quarter of the time at most.
const restOfLength = 3;
// Jobs are committed a little later than at the time that they bear, and not in its order.
const slackMs = 100;
const beginning = new Date(0);

/**
 * How far back a claim looks. As a rule to the beginning; but while a snapshot is held that is older than the jobs that
 * are gone, by a backup with `pg_dump` as a rule, their index entries stay, and each claim would walk past all of them
 * (hazard H99: after 40,000 jobs a claim took 140 ms instead of 9). Once that takes long, claims in between begin at the
 * oldest job that the last one saw. What came to lie before it meanwhile waits for the next that looks at all.
 */
export function lookBack(): (claim: (since: Date) => Promise<Claimed>) => Promise<Claimed> {
  let since = beginning;
  let lookAtAllAt = 0;

  return async (claim) => {
    const from = performance.now();
    const looksAtAll = from >= lookAtAllAt;
    try {
      const claimed = await claim(looksAtAll ? beginning : since);
      if (claimed.oldest) since = new Date(claimed.oldest.getTime() - slackMs);
      return claimed;
    } finally {
      const took = performance.now() - from;
      if (looksAtAll && took > longMs) lookAtAllAt = from + took * (1 + restOfLength);
    }
  };
}
