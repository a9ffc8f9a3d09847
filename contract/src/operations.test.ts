import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { commonRefusals } from './errors.ts';
import type { Operation } from './operation.ts';
import { operationGroups, operations } from './operations.ts';

const all: readonly Operation[] = Object.values(operations);

/** The operations in the order of the contract. */
const contract = `
  POST   /v1/messages                                        Beta
  GET    /v1/messages/{message_id}                           Beta
  GET    /v1/conversations/{conversation_id}/messages        Available
  POST   /v1/conversations/{conversation_id}/messages        Available
  GET    /v1/chatapp/templates                               Available
  POST   /v1/chatapp/templates                               Available
  GET    /v1/chatapp/templates/{template_id}                 Beta
  DELETE /v1/chatapp/templates/{template_id}                 Available
  GET    /v1/conversations                                   Available
  GET    /v1/conversations/{conversation_id}                 Available
  POST   /v1/conversations/{conversation_id}/assign          Available
  POST   /v1/conversations/{conversation_id}/close           Available
  POST   /v1/conversations/{conversation_id}/reopen          Available
  PUT    /v1/conversations/{conversation_id}/stage           Available
  POST   /v1/conversations/{conversation_id}/handover        Beta
  POST   /v1/conversations/{conversation_id}/snooze          Coming soon
  POST   /v1/conversations/{conversation_id}/notes           Available
  GET    /v1/contacts                                        Available
  POST   /v1/contacts                                        Beta
  POST   /v1/contacts/import                                 Available
  GET    /v1/contacts/{contact_id}                           Available
  PATCH  /v1/contacts/{contact_id}                           Available
  DELETE /v1/contacts/{contact_id}                           Coming soon
  POST   /v1/contacts/{contact_id}/merge                     Coming soon
  GET    /v1/custom-fields                                   Coming soon
  POST   /v1/custom-fields                                   Coming soon
  GET    /v1/tags                                            Coming soon
  GET    /v1/stages                                          Available
  GET    /v1/workflows                                       Available
  POST   /v1/workflows/{workflow_id}/status                  Available
  POST   /v1/workflows/{workflow_id}/runs                    Coming soon
  GET    /v1/broadcasts                                      Coming soon
  POST   /v1/broadcasts                                      Coming soon
  GET    /v1/broadcasts/{broadcast_id}                       Coming soon
  POST   /v1/broadcasts/{broadcast_id}/cancel                Coming soon
  GET    /v1/ai/agents                                       Beta
  POST   /v1/conversations/{conversation_id}/ai/compose      Coming soon
  POST   /v1/conversations/{conversation_id}/ai/summary      Coming soon
  POST   /v1/ai/knowledge-sources                            Coming soon
  GET    /v1/me                                              Available
  GET    /v1/workspace                                       Available
  GET    /v1/channels                                        Available
  GET    /v1/channels/{channel_id}                           Beta
  GET    /v1/analytics/overview                              Beta
  GET    /v1/analytics/conversations                         Coming soon
  GET    /v1/analytics/messages                              Coming soon
  GET    /v1/users                                           Available
  PUT    /v1/users/{user_id}/availability                    Coming soon
  GET    /v1/teams                                           Coming soon
  POST   /v1/media                                           Available
  GET    /v1/media/{media_id}                                Available
  GET    /v1/wallet                                          Beta
  GET    /v1/usage                                           Coming soon
  GET    /v1/webhook-endpoints                               Coming soon
  POST   /v1/webhook-endpoints                               Coming soon
  PATCH  /v1/webhook-endpoints/{endpoint_id}                 Coming soon
  DELETE /v1/webhook-endpoints/{endpoint_id}                 Coming soon
  POST   /v1/webhook-endpoints/{endpoint_id}/test            Coming soon
  GET    /v1/webhook-endpoints/{endpoint_id}/deliveries      Coming soon
`;

test('the operations are the 59 of the contract, with their labels', () => {
  const expected = contract
    .trim()
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}/g, ' '));
  const actual = all.map(({ method, path, label }) => `${method} ${path} ${label}`);
  assert.equal(expected.length, 59);
  assert.deepEqual(actual.toSorted(), expected.toSorted());
});

test('every operation stands under its own id, in one group', () => {
  for (const [key, operation] of Object.entries(operations)) assert.equal(operation.id, key);
  const grouped = operationGroups.flatMap((group) => group.operations.map(({ id }) => id));
  assert.deepEqual(grouped.toSorted(), Object.keys(operations).toSorted());
});

test('the writes marked IK in the contract are the idempotent ones', () => {
  assert.deepEqual(
    all.filter((operation) => operation.idempotent).map((operation) => operation.id),
    ['sendMessage', 'sendConversationMessage', 'upsertContact', 'startWorkflowRun', 'createBroadcast'],
  );
});

test('the limits of the contract hold for the operations that it names', () => {
  const limited = Object.groupBy(
    all.filter((operation) => operation.limit !== undefined),
    (operation) => operation.limit ?? 'none',
  );
  const ids = Object.fromEntries(Object.entries(limited).map(([limit, of]) => [limit, of.map(({ id }) => id)]));
  assert.deepEqual(ids, {
    sends: ['sendMessage', 'sendConversationMessage'],
    imports: ['importContacts'],
    broadcasts: ['createBroadcast'],
    analytics: ['getAnalyticsOverview', 'getConversationAnalytics', 'getMessageAnalytics'],
  });
});

test('every operation that makes a message leave, and those under /v1/contacts, require a scope', () => {
  const leaving = new Set(['sendMessage', 'sendConversationMessage', 'createBroadcast', 'startWorkflowRun']);
  const conditions: Record<string, object> = {
    closeConversation: { member: 'send_csat', is: true, scope: 'messages:write' },
    handOverConversation: { member: 'to', is: 'bot', scope: 'messages:write' },
    setWorkflowStatus: { member: 'status', is: 'published', scope: 'messages:write' },
  };
  const starting = new Set([
    'setConversationStage',
    'upsertContact',
    'importContacts',
    'updateContact',
    'mergeContact',
  ]);
  for (const { id, method, path, scope, scope_with, starts_workflows } of all) {
    const ofContacts = method === 'GET' ? 'contacts:read' : 'contacts:write';
    const expected = leaving.has(id) ? 'messages:write' : path.startsWith('/v1/contacts') ? ofContacts : undefined;
    assert.equal(scope, expected, id);
    assert.deepEqual(scope_with, conditions[id], id);
    assert.equal(starts_workflows === true, starting.has(id), id);
  }
});

for (const operation of all) {
  test(`${operation.id}: the members of the path are those of its params`, () => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    assert.deepEqual(Object.keys(operation.params?.properties ?? {}), inPath);
  });

  test(`${operation.id}: the examples validate against their schemas`, () => {
    const { params, query, body, reply } = operation.example;
    for (const [schema, example] of [
      [operation.params, params],
      [operation.query, query ?? {}],
      [operation.body, body],
      [operation.reply.body, reply],
    ] as const) {
      if (schema === undefined) continue;
      assert.notEqual(example, undefined);
      assert.deepEqual(Compile(schema).Errors(example), []);
    }
    assert.equal(body === undefined, operation.body === undefined);
    assert.equal(
      reply === undefined,
      operation.reply.status === 204 || (operation.reply.status === 202 && !operation.reply.body),
    );
  });

  test(`${operation.id}: lists a refusal for each part of the request, and none twice`, () => {
    const refusals = new Set(operation.refusals);
    assert.equal(refusals.size, operation.refusals.length);
    for (const code of commonRefusals) assert.ok(!refusals.has(code), code);
    assert.equal(
      refusals.has('insufficient_scope'),
      Boolean(operation.scope ?? operation.scope_with ?? operation.starts_workflows),
    );
    assert.equal(refusals.has('idempotency_conflict'), operation.idempotent);
    assert.equal(refusals.has('not_found'), operation.params !== undefined);
    assert.equal(refusals.has('unprocessable_content'), Boolean(operation.body ?? operation.query));
  });
}
