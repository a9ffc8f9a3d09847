import { consoleOperations } from '@majlis/console-api';
import { publishLive } from '../live/publish-live.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { previewRetention } from '../retention/preview-retention.ts';
import { changeRetention, findRetention, presentRetention } from '../retention/retention-settings.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

/** How long the workspace keeps closed conversations, and what that deletes. */
export function retentionRoutes(serve: ServeConsole, { pool, clock }: Resources): void {
  serve(consoleOperations.getRetention, async ({ caller }) => ({
    status: 200,
    body: presentRetention(await findRetention(pool, caller.workspace_id)),
  }));

  serve(consoleOperations.previewRetention, async ({ caller: { workspace_id }, query: { days } }) => ({
    status: 200,
    body: await previewRetention(pool, clock, { workspace_id, days }),
  }));

  serve(consoleOperations.changeRetention, async ({ caller, body }) => {
    const { workspace_id } = caller;
    const { conversation_days } = body;
    await transactionOf(caller, pool, async (tx) => {
      const before = await changeRetention(tx, workspace_id, body);
      const details = { conversation_days, before };
      await recordActs(tx, clock, [toAct(caller, 'changeRetention', {}, details)]);
      await publishLive(tx, [{ workspace_id, kind: 'settings' }]);
    });
    return { status: 200, body: presentRetention(conversation_days) };
  });
}
