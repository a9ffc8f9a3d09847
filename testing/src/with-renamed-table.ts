import type { TestService } from './start-test-service.ts';

/** Runs `work` while the table has another name, so that each statement on it fails. */
export async function withRenamedTable<Result>(
  { sql }: Pick<TestService, 'sql'>,
  table: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await sql(`alter table ${table} rename to away`);
  try {
    return await work();
  } finally {
    await sql(`alter table away rename to ${table}`);
  }
}
