import { eventually } from './eventually.ts';
import type { RunningService } from './start-test-service.ts';

/** Waits until the search knows all messages. The clock of the service must be ten seconds past the newest. */
export async function untilIndexed({ sql }: Pick<RunningService, 'sql'>): Promise<void> {
  const [newest] = await sql<{ id: string }>('select max(id::text) as id from messages');
  await eventually(
    () => sql<{ up_to: string }>('select max(up_to::text) as up_to from message_search_progress'),
    ([row]) => (row?.up_to ?? '') >= newest!.id,
  );
}
