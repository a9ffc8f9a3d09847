import type { TestService } from './start-test-service.ts';

interface Trigger {
  /** Such as `before insert on messages`. */
  on: string;
  /** A condition on `new` and `old`; by default every row fits. */
  when?: string;
  /** The body of the function in PL/pgSQL. */
  body: string;
}

/** Runs `work` while a trigger does `body` for each row of a table. */
export async function withTrigger<Result>(
  { sql }: Pick<TestService, 'sql'>,
  { on, when = 'true', body }: Trigger,
  work: () => Promise<Result>,
): Promise<Result> {
  const [, table] = / on (\w+)$/.exec(on)!;
  await sql(`create or replace function planted() returns trigger language plpgsql as $$ begin ${body} end $$`);
  await sql(`create trigger planted ${on} for each row when (${when}) execute function planted()`);
  try {
    return await work();
  } finally {
    await sql(`drop trigger planted on ${table}`);
  }
}
