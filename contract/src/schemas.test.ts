import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { buildOpenApi } from './openapi.ts';
import { operations } from './operations.ts';

const document = JSON.stringify(buildOpenApi());

test('no schema limits what the contract does not: no length, no pattern, no closed object', () => {
  assert.doesNotMatch(document, /"(minLength|maxLength|pattern|maximum|multipleOf|minItems|uniqueItems)":/);
  assert.doesNotMatch(document, /"additionalProperties":false/);
});

test('the only lists with a limit are those of an import and of explicit recipients', () => {
  const limits = [...document.matchAll(/"maxItems":(\d+)/g)].map((match) => Number(match[1]));
  assert.deepEqual(
    limits.toSorted((a, b) => a - b),
    [1_000, 10_000],
  );
});

test('the closed lists of values are those that the contract closes', () => {
  const lists = new Set([...document.matchAll(/"enum":\[([^\]]*)\]/g)].map((match) => match[1]?.replaceAll('"', '')));
  assert.deepEqual([...lists].toSorted(), [
    'buttons,list',
    'channel,team,user,stage',
    'chatapp,instagram,messenger,sms,email,webchat',
    'day,week,month',
    'draft,pending,approved,rejected,paused,disabled',
    'friendly,formal,concise',
    'header,body,footer,buttons',
    'human,bot',
    'marketing,utility,authentication',
    'open,closed',
    'published,paused,draft',
    'queued,sent,delivered,read,failed',
    'test,live',
    'text,image,video,document',
    'text,image,video,file,voice,template,location,interactive,reaction',
    'text,image,video,file,voice,template,location,interactive,reaction,note',
    'text,number,date,boolean,select',
    'url,file,text',
  ]);
});

test('the schema of an operation is its type', () => {
  const send: Static<typeof operations.sendMessage.body> = { contact_id: 'ct_1', kind: 'text', body: 'Hello' };
  const assign: Static<typeof operations.assignConversation.body> = { assignee_id: null };
  assert.ok(Compile(operations.sendMessage.body).Check(send));
  assert.ok(Compile(operations.assignConversation.body).Check(assign));
});

test('a body may hold members that the contract does not know', () => {
  assert.ok(Compile(operations.sendMessage.body).Check({ to: '+96891234567', kind: 'text', note_to_self: 1 }));
});

test('a kind that the contract does not list is refused, and so is `note`', () => {
  const body = Compile(operations.sendMessage.body);
  assert.ok(!body.Check({ to: '+96891234567', kind: 'sticker' }));
  assert.ok(!body.Check({ to: '+96891234567', kind: 'note' }));
});

test('a value of the wrong type is one error with a pointer to it', () => {
  const errors = Compile(operations.assignConversation.body).Errors({ assignee_id: 7 });
  assert.deepEqual(
    errors.map((error) => error.instancePath),
    ['/assignee_id'],
  );
});

test('a bad row does not refuse an import, but 1,001 rows do', () => {
  const body = Compile(operations.importContacts.body);
  assert.ok(body.Check({ contacts: [{ identities: 'none' }] }));
  assert.ok(body.Check({ contacts: Array.from({ length: 1_000 }, () => ({})) }));
  assert.ok(!body.Check({ contacts: Array.from({ length: 1_001 }, () => ({})) }));
});

test('consents keep other keys, and `chatapp_marketing` is a boolean', () => {
  const body = Compile(operations.upsertContact.body);
  assert.ok(body.Check({ identities: [], consents: { chatapp_marketing: true, sms_marketing: 'asked' } }));
  assert.ok(!body.Check({ identities: [], consents: { chatapp_marketing: 'yes' } }));
});

test('a date of a query is a full date', () => {
  const query = Compile(operations.getUsage.query);
  assert.ok(query.Check({ from: '2026-11-01', to: '2026-11-30' }));
  assert.ok(!query.Check({ from: '2026-11-01T00:00:00Z', to: '2026-11-30' }));
  assert.ok(!query.Check({ from: '2026-11-01' }));
});
