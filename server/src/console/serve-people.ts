import { type PersonRule, personRules } from '@majlis/console-api';
import type { Operation, OperationId } from '@majlis/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuseHidden } from '../conversations/refuse-hidden.ts';
import { parseId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { boundsOf } from '../http/body/body-bounds.ts';
import { checkAgain } from '../http/body/check-again.ts';
import { boundBefore } from '../http/body/check-bounds.ts';
import { forgetBody } from '../http/body/forget-body.ts';
import { holdBodies } from '../http/body/hold-bodies.ts';
import { takeJson } from '../http/body/take-json.ts';
import type { Bodies } from '../http/pipeline.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { replyConsoleError } from '../http/reply/reply-error.ts';
import { createServe, type RecordWrites, type Serve } from '../http/serve.ts';
import { compileValidator } from '../http/validate.ts';
import { deleteSentDrafts } from '../inbox/drafts.ts';
import { recordActs } from '../people/audit.ts';
import { holdRights } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import type { AuthenticatePerson, PersonCaller } from './authenticate-person.ts';
import { keepFromCaches } from './keep-from-caches.ts';
import { refuseBeyondLimit } from './refuse-beyond-limit.ts';
import { refuseOtherSites } from './refuse-other-sites.ts';

interface ServePeople {
  resources: Resources;
  people: AuthenticatePerson;
  bodies: Bodies;
  modules: (serve: Serve) => void;
}

/**
 * The operations of the contract for people, under `/console/v1/workspaces/{workspace_id}`: the same use cases with a person as
 * the caller, and the role in the place of scopes.
 */
export async function servePeople(
  app: FastifyInstance,
  { resources, people, bodies, modules }: ServePeople,
): Promise<void> {
  const { config, pool, clock } = resources;
  app.setValidatorCompiler(boundBefore(compileValidator, config.bounds));
  app.setErrorHandler(replyConsoleError);
  const ownerOf = ({ caller }: FastifyRequest) => caller.workspace_id;
  takeJson(app, { thread: bodies.thread, bounds: config.bounds, ownerOf });
  app.decorateRequest('caller');
  checkAgain(app, clock, ({ caller }) => holdRights(pool, caller as PersonCaller));
  app.addHook('onRequest', async (request) => {
    refuseOtherSites(request);
    const session = await people.requireSession(request);
    const { operation } = request.routeOptions.config;
    const rule = ruleOf(operation!)!;
    const caller = await people.requireCaller(request, session, rule.least);
    request.caller = { ...caller, ...seenReplyIn(request) };
    await refuseBeyondLimit(pool, caller, { params: request.params, whole_workspace: rule.whole_workspace });
    if (rule.confirmed) people.requireConfirmed(session);
    if (!operation!.body) forgetBody(request);
  });
  holdBodies(app, { ...bodies, ownerOf });
  app.addHook('onSend', keepFromCaches);
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && request.routeOptions.config.operation?.body) request.body = {};
    done();
  });

  const record: RecordWrites = async (connection, operation, requests) => {
    if (takesDraft.has(operation.id)) await deleteTakenDrafts(connection, requests);
    if (!ruleOf(operation)!.audited) return;
    const acts = requests.map(({ caller, params }) => {
      const { workspace_id, user_id, address } = caller as PersonCaller;
      const { workspace_id: _, ...targets } = (params ?? {}) as Record<string, string>;
      return { workspace_id, user_id, action: operation.id, targets, address };
    });
    await recordActs(connection, clock, acts);
  };
  const isServed = (operation: Operation) =>
    ruleOf(operation) !== undefined && (config.comingSoon || operation.label !== 'Coming soon');
  const bodyLimitOf = (operation: Operation) => boundsOf(operation, config).bytes;
  const onServed = () => {};
  modules(
    createServe({
      ...{ app, pool, clock, bodyLimitOf, isServed, onServed, record },
      key_scope: (caller) => `console ${(caller as PersonCaller).user_id} `,
      // After a lost answer, the console sends these again, as it does with a reply.
      also_idempotent: ['addConversationNote', ...changesOfConversations],
      hold_rights: (connection, caller) => holdRights(connection, caller as PersonCaller),
      hold_answer: (connection, caller, about) => refuseHidden(connection, caller, about),
    }),
  );
}

/** The newest reply that the person has seen, as their send names it. */
function seenReplyIn({ headers, routeOptions }: FastifyRequest): Pick<PersonCaller, 'seen_reply_id'> {
  const named = headers['seen-reply-id'];
  if (named === undefined || routeOptions.config.operation?.id !== 'sendConversationMessage') return {};
  const seen_reply_id = named === 'none' ? null : parseId('message', String(named));
  if (seen_reply_id === undefined) {
    throw new Refusal('unprocessable_content', { detail: 'Seen-Reply-Id names no message.' });
  }
  return { seen_reply_id };
}

const changesOfConversations = [
  ...['assignConversation', 'closeConversation', 'reopenConversation'],
  ...['snoozeConversation', 'setConversationStage', 'handOverConversation'],
];

const takesDraft = new Set(['sendConversationMessage', 'addConversationNote']);

/** The console keeps the key of a send with its draft. */
async function deleteTakenDrafts(connection: Connection, requests: Parameters<RecordWrites>[2]): Promise<void> {
  const sends = requests.flatMap(({ caller, params, idempotency_key: key }) => {
    const conversation_id = parseId('conversation', (params as { conversation_id: string }).conversation_id)!;
    const { workspace_id, user_id } = caller as PersonCaller;
    return key ? [{ workspace_id, user_id, conversation_id, key }] : [];
  });
  for (const [workspace_id, own] of Map.groupBy(sends, (send) => send.workspace_id)) {
    await deleteSentDrafts(connection, workspace_id, own);
  }
}

/** Undefined for an operation that is served to API keys alone. */
function ruleOf({ id }: Operation): PersonRule | undefined {
  return personRules[id as OperationId];
}
