// Shorter claims need no watermark.
const longMs = 20;
// Claims from the beginning take at most a quarter of the time.
const restOfLength = 3;
// Jobs commit somewhat later than their `run_at`, and in another order.
const slackMs = 100;
const beginning = new Date(0);

/**
 * Chooses the time from which a claim reads the index, usually the beginning. A held snapshot, as of `pg_dump`, keeps the index
 * entries of deleted jobs, and each claim would read all of them: after 40,000 jobs 140 ms instead of 9 (hazard H99). After a
 * long claim, the next claims begin at the oldest ready job. Older jobs wait for the next claim from the beginning.
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
