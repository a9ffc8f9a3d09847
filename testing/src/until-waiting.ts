import { eventually } from './eventually.ts';
import type { TestService } from './start-test-service.ts';

/** Until so many sessions of the database wait for locks. */
export async function untilWaiting({ sql }: Pick<TestService, 'sql'>, count = 1): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await eventually(
    () => sql(waiting),
    ({ length }) => length >= count,
  );
}
