// A claim that takes less is not worth being spared.
const longMs = 20;
// Claims from the beginning take a quarter of the time at most.
const restOfLength = 3;
// Jobs are committed a little later than at the time that they bear, and not in its order.
const slackMs = 100;
const beginning = new Date(0);

/**
 * From which time on a claim reads the index. As a rule from the beginning. A held snapshot, as of `pg_dump`, keeps the
 * index entries of deleted jobs, and each claim would read all of them: after 40,000 jobs 140 ms instead of 9 (hazard H99).
 * Once a claim takes long, those in between begin at the oldest ready job. What came to lie before it waits for the next
 * claim from the beginning.
 */
export function lowWatermark(findOldest: () => Promise<Date>) {
  let since = beginning;
  let fromBeginningAt = 0;

  return async <Result>(claim: (since: Date) => Promise<Result>): Promise<Result> => {
    const from = performance.now();
    if (from < fromBeginningAt) return claim(since);
    try {
      const result = await claim(beginning);
      if (performance.now() - from > longMs) since = new Date((await findOldest()).getTime() - slackMs);
      return result;
    } finally {
      const took = performance.now() - from;
      if (took > longMs) fromBeginningAt = from + took * (1 + restOfLength);
    }
  };
}
