import { coalesce } from './batch.ts';

/** Reads when its turn comes. */
export type TakeTurn = <Result>(workspace_id: string, read: () => Promise<Result>) => Promise<Result>;

/**
 * For reads that take long: `at_once` of them at a time, and of each workspace one. The others wait outside the pool,
 * whose connections are for everybody (hazard H67); sixteen reports of a large workspace would hold all of them.
 */
export function takeTurns(at_once: number): TakeTurn {
  const queue = coalesce(async ([turn]: Turn[]) => [await turn!.read()], {
    concurrency: at_once,
    max_items: 1,
    conflict_key: ({ workspace_id }) => workspace_id,
  });
  return <Result>(workspace_id: string, read: () => Promise<Result>) =>
    queue({ workspace_id, read }) as Promise<Result>;
}

interface Turn {
  workspace_id: string;
  read: () => Promise<unknown>;
}
