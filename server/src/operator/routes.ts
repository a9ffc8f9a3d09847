import type { FastifyInstance } from 'fastify';
import { listReceiptKeys } from '../contacts/erase/receipts/receipt-keys.ts';
import { parseId } from '../database/ids.ts';
import { transaction } from '../database/transaction.ts';
import { boundBefore } from '../http/body/check-bounds.ts';
import { holdBodies } from '../http/body/hold-bodies.ts';
import { takeJson } from '../http/body/take-json.ts';
import { limitFailures } from '../http/limit-failures.ts';
import type { RateLimiter } from '../http/limit-rate/rate-limiter.ts';
import type { Bodies } from '../http/pipeline.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { compileValidator } from '../http/validate.ts';
import type { Resources } from '../process/resources.ts';
import type { SealedPlaces } from '../secrets/sealed-rows.ts';
import { checkAddress } from '../webhook-endpoints/manage/check-address.ts';
import { revokeApiKey } from '../workspaces/queries.ts';
import { operatorAiRoutes } from './ai-routes.ts';
import { applyWorkspace } from './apply/apply-workspace.ts';
import { foldEmails } from './apply/fold-emails.ts';
import { refuseUnder } from './apply/refuse-under.ts';
import { WorkspaceFile } from './apply/workspace-file.ts';
import { createAuthenticateOperator } from './authenticate-operator.ts';
import { ClockMove, latestMoment } from './clock-move.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { exportWorkspace } from './export/export-workspace.ts';
import { historyRoutes } from './history-routes.ts';
import { findNamedWorkspace, LinkOrder, makeOperatorLink } from './make-link.ts';
import { presentApplied } from './present.ts';
import { readBroadcast } from './read-broadcast.ts';
import { type PlatformSetup, readPlatformSetup } from './read-platform-setup.ts';
import { readRecipients } from './read-recipients.ts';
import { readSecrets } from './read-secrets.ts';
import { readWorkflowRun, readWorkflowRuns } from './read-workflow-runs.ts';

export interface OperatorOptions {
  operatorToken: string;
  /** Takes what the platform has to know, before the commit of a workspace file lets jobs call it. */
  setUpPlatform?: ((setup: PlatformSetup) => void) | undefined;
  sealedPlaces: SealedPlaces;
}

interface OperatorRoutes extends OperatorOptions {
  resources: Resources;
  bodies: Bodies;
  limiter: RateLimiter;
}

/** The operator's API: workspaces from files, keys, events, the clock. Not part of `/v1`. */
export async function operatorRoutes(
  app: FastifyInstance,
  { resources, operatorToken, setUpPlatform, sealedPlaces, bodies, limiter }: OperatorRoutes,
): Promise<void> {
  const { config, pool, clock } = resources;
  const authenticate = createAuthenticateOperator(operatorToken, limitFailures(limiter, 'operator'));
  app.setValidatorCompiler(boundBefore(compileValidator, config.bounds));
  const ownerOf = () => 'operator';
  takeJson(app, { thread: bodies.thread, bounds: config.bounds, ownerOf });
  holdBodies(app, { ...bodies, ownerOf });
  app.addHook('onRequest', authenticate);
  // A handler of this scope, so that the hook above authenticates unknown paths too.
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found', { detail: 'The API of the operator has no such path.' });
  });

  app.put<{ Body: WorkspaceFile }>('/workspaces', { schema: { body: WorkspaceFile } }, async ({ body }) => {
    const file = foldEmails(body);
    // Names of addresses are resolved before the transaction.
    for (const [index, { url }] of (file.webhook_endpoints ?? []).entries()) {
      await refuseUnder(`/webhook_endpoints/${index}`, () => checkAddress(resources, url));
    }
    const applied = await transaction(pool, async (tx) => {
      const done = await applyWorkspace(tx, resources, file);
      setUpPlatform?.(await readPlatformSetup(tx, resources.secretBox));
      return done;
    });
    return presentApplied(file, applied);
  });

  app.get<{ Querystring: { workspace?: string } }>('/workspace-file', async ({ query }) => {
    const id = await findNamedWorkspace(pool, query.workspace);
    return exportWorkspace(pool, id);
  });

  app.delete<{ Params: { id: string; name: string } }>('/workspaces/:id/api-keys/:name', async (request, reply) => {
    const workspace_id = parseId('workspace', request.params.id);
    const { name } = request.params;
    const isRevoked =
      workspace_id && !name.includes('\0') && (await revokeApiKey(pool, workspace_id, { name }, clock.now()));
    if (!isRevoked) throw new Refusal('not_found', { detail: 'There is no such API key in such a workspace.' });
    return reply.code(204).send();
  });

  app.get<{ Params: { id: string; broadcast_id: string } }>('/workspaces/:id/broadcasts/:broadcast_id', ({ params }) =>
    readBroadcast(pool, params),
  );
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

  app.post<{ Body: LinkOrder }>('/links', { schema: { body: LinkOrder } }, async ({ body }, reply) =>
    reply.code(201).send(await makeOperatorLink(resources, body)),
  );

  eventRoutes(app, resources);
  endpointRoutes(app, resources);
  historyRoutes(app, resources);
  operatorAiRoutes(app, resources);

  app.get('/secrets', () => readSecrets(resources, sealedPlaces));

  app.get('/receipt-keys', async () => ({ data: await listReceiptKeys(pool) }));

  app.get('/clock', async () => ({ now: clock.now().toISOString() }));
  if (!config.testClock) return;
  app.post<{ Body: ClockMove }>('/clock', { schema: { body: ClockMove } }, async ({ body: { advance_seconds } }) => {
    if (clock.nowMs() + advance_seconds * 1000 > latestMoment) {
      throw invalid({ detail: 'would move the clock past the year 9999', pointer: '/advance_seconds' });
    }
    return { now: (await clock.advance(advance_seconds)).toISOString() };
  });
}
