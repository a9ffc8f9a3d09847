/** Runs work as soon as it is under the limit; the rest waits, first come, first served. */
export type Limit = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createLimit(most: number): Limit {
  const waiting: (() => void)[] = [];
  let under_way = 0;

  return async (work) => {
    // Work that ends hands its place on: the place stays taken.
    if (under_way < most) under_way++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else under_way--;
    }
  };
}
