import { consoleOperations } from '@majlis/console-api';
import { changeNotificationSettings, readNotificationSettings } from '../inbox/notification-settings.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

export function notificationSettingsRoutes(serve: ServeConsole, { pool, clock }: Resources): void {
  serve(consoleOperations.readNotificationSettings, async ({ caller: { workspace_id, user_id } }) => ({
    status: 200,
    body: await readNotificationSettings(pool, clock, { workspace_id, user_id }),
  }));

  serve(consoleOperations.changeNotificationSettings, async ({ caller, body }) => {
    const { workspace_id, user_id } = caller;
    const settings = await transactionOf(caller, pool, async (tx) => {
      await changeNotificationSettings(tx, { workspace_id, user_id }, body);
      return readNotificationSettings(tx, clock, { workspace_id, user_id });
    });
    return { status: 200, body: settings };
  });
}
