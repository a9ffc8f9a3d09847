import type { FastifyInstance } from 'fastify';
import { transaction } from '../database/transaction.ts';
import { HistoryImport } from '../messages/history/history-import.ts';
import { importHistory } from '../messages/history/import-history.ts';
import type { Resources } from '../process/resources.ts';
import { getWorkspace } from '../workspaces/read-workspace.ts';
import { getWorkspaceId } from './apply/get-workspace-id.ts';

/** The history that another system has of contacts. */
export function historyRoutes(app: FastifyInstance, resources: Resources): void {
  const { pool } = resources;

  app.post<{ Params: { id: string }; Body: HistoryImport }>(
    '/workspaces/:id/history',
    { schema: { body: HistoryImport } },
    async ({ params, body }) => {
      const workspace_id = await getWorkspaceId(pool, params.id);
      const { country } = await getWorkspace(pool, workspace_id);
      return transaction(pool, (tx) => importHistory(tx, resources, { workspace_id, country }, body));
    },
  );
}
