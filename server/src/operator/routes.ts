import type { FastifyInstance } from 'fastify';
import { parseId } from '../database/ids.ts';
import { transaction } from '../database/transaction.ts';
import { takeJson } from '../http/body/take-json.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { compileValidator } from '../http/validate.ts';
import type { Resources } from '../process/resources.ts';
import { revokeApiKey } from '../workspaces/queries.ts';
import { aiRoutes } from './ai-routes.ts';
import { applyWorkspace } from './apply/apply-workspace.ts';
import { WorkspaceFile } from './apply/workspace-file.ts';
import { createAuthenticateOperator } from './authenticate-operator.ts';
import { ClockMove, latestMoment } from './clock-move.ts';
import { eventRoutes } from './event-routes.ts';
import { presentApplied } from './present.ts';
import { readRecipients } from './read-recipients.ts';
import { readWorkflowRun, readWorkflowRuns } from './read-workflow-runs.ts';

/** The operator's doors: workspaces from files, keys, events, the clock. Not part of `/v1`. */
export async function operatorRoutes(app: FastifyInstance, resources: Resources, operatorToken: string): Promise<void> {
  const { config, pool, clock } = resources;
  const authenticate = createAuthenticateOperator(operatorToken);
  app.setValidatorCompiler(compileValidator);
  takeJson(app);
  app.addHook('onRequest', async (request) => authenticate(request.headers.authorization));
  // Its own, so that the hook above stands before it too.
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found', { detail: 'The API of the operator has no such path.' });
  });

  app.put<{ Body: WorkspaceFile }>('/workspaces', { schema: { body: WorkspaceFile } }, async ({ body }) => {
    const applied = await transaction(pool, (tx) => applyWorkspace(tx, resources, body));
    return presentApplied(body, applied);
  });

  app.delete<{ Params: { id: string; name: string } }>('/workspaces/:id/api-keys/:name', async (request, reply) => {
    const workspace_id = parseId('workspace', request.params.id);
    const { name } = request.params;
    const isRevoked =
      workspace_id && !name.includes('\0') && (await revokeApiKey(pool, workspace_id, name, clock.now()));
    if (!isRevoked) throw new Refusal('not_found', { detail: 'There is no such API key in such a workspace.' });
    return reply.code(204).send();
  });

  app.get<{ Params: { id: string; broadcast_id: string }; Querystring: { after?: string } }>(
    '/workspaces/:id/broadcasts/:broadcast_id/recipients',
    ({ params, query }) => readRecipients(pool, params, query.after),
  );

  app.get<{ Params: { id: string }; Querystring: { workflow_id?: string; after?: string } }>(
    '/workspaces/:id/workflow-runs',
    ({ params, query }) => readWorkflowRuns(pool, params, query),
  );
  app.get<{ Params: { id: string; run_id: string } }>('/workspaces/:id/workflow-runs/:run_id', ({ params }) =>
    readWorkflowRun(pool, params),
  );

  eventRoutes(app, resources);
  aiRoutes(app, resources);

  app.get('/clock', async () => ({ now: clock.now().toISOString() }));
  if (!config.testClock) return;
  app.post<{ Body: ClockMove }>('/clock', { schema: { body: ClockMove } }, async ({ body: { advance_seconds } }) => {
    if (clock.nowMs() + advance_seconds * 1000 > latestMoment) {
      throw invalid({ detail: 'would move the clock past the year 9999', pointer: '/advance_seconds' });
    }
    return { now: (await clock.advance(advance_seconds)).toISOString() };
  });
}
