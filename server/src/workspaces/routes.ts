import { operations } from '@majlis/contract';
import type { KeyCaller } from '../http/authenticate.ts';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { presentKey, presentWallet, presentWorkspace } from './present.ts';
import { readUsage } from './read-usage.ts';
import { readWallet } from './read-wallet.ts';
import { getWorkspace } from './read-workspace.ts';

export function workspaceRoutes(serve: Serve, { pool }: Resources): void {
  // People do not perform this operation.
  serve.read(operations.getKey, async ({ caller }) => presentKey(caller as KeyCaller));
  serve.read(operations.getWorkspace, async ({ caller }) =>
    presentWorkspace(await getWorkspace(pool, caller.workspace_id)),
  );
  serve.read(operations.getWallet, async ({ caller }) => presentWallet(await readWallet(pool, caller.workspace_id)));
  serve.report(operations.getUsage, ({ caller: { workspace_id }, query }) => readUsage(pool, workspace_id, query));
}
