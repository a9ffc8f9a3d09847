import { consoleOperations } from '@majlis/console-api';
import { transaction } from '../database/transaction.ts';
import { changeNotificationSettings, readNotificationSettings } from '../inbox/notification-settings.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

export function notificationSettingsRoutes(serve: ServeConsole, { pool, clock }: Resources): void {
  serve(consoleOperations.readNotificationSettings, async ({ caller: { workspace_id, user_id } }) => ({
    status: 200,
    body: await readNotificationSettings(pool, clock, { workspace_id, user_id }),
  }));

  serve(consoleOperations.changeNotificationSettings, async ({ caller: { workspace_id, user_id }, body }) => {
    const settings = await transaction(pool, async (tx) => {
      await changeNotificationSettings(tx, { workspace_id, user_id }, body);
      return readNotificationSettings(tx, clock, { workspace_id, user_id });
    });
    return { status: 200, body: settings };
  });
}
