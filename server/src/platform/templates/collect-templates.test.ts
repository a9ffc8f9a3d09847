import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, channel, clientOf, error } from '../../../test/recorded/platform-server.ts';
import { recordedShape } from '../../../test/recorded/recorded-shapes.ts';
import { PlatformRefusal } from '../refusal.ts';

test('lists the templates of all pages', async () => {
  const template = (id: string) => ({ ...(recordedShape('resources', 'templates').data as object[])[0], id });
  const asked: (string | null)[] = [];
  const client = await clientOf((request, response) => {
    const after = new URL(request.url ?? '', 'http://x').searchParams.get('after');
    asked.push(after);
    const cursors = { before: 'b', after: after === null ? 'p2' : 'p3' };
    const next = 'http://192.0.2.1/stolen?access_token=x';
    if (after === 'p3') answer(response, 200, { data: [template('3')], paging: { cursors } });
    else answer(response, 200, { data: [template(after === null ? '1' : '2')], paging: { cursors, next } });
  });
  const templates = await client.listTemplates(channel);
  assert.deepEqual(asked, [null, 'p2', 'p3']);
  assert.deepEqual(
    templates.map(({ platform_template_id }) => platform_template_id),
    ['1', '2', '3'],
  );
  assert.deepEqual(templates[0], {
    platform_template_id: '1',
    name: 'order_update',
    language: 'en_US',
    category: 'utility',
    parameter_format: 'positional',
    status: 'approved',
    quality: 'GREEN',
    components: [{ type: 'body', text: 'Hello {{1}}, your order {{2}} has shipped.', examples: ['Sara', 'A-1007'] }],
  });
});

test('starts the list of templates again when its cursor has gone stale', async () => {
  const asked: (string | null)[] = [];
  const client = await clientOf((request, response) => {
    const after = new URL(request.url ?? '', 'http://x').searchParams.get('after');
    asked.push(after);
    if (asked.length === 2) answer(response, 400, error(131059));
    else if (after === null) answer(response, 200, { data: [], paging: { cursors: { after: 'p2' }, next: 'x' } });
    else answer(response, 200, { data: [] });
  });
  assert.deepEqual(await client.listTemplates(channel), []);
  assert.deepEqual(asked, [null, 'p2', null, 'p2']);
});

test('gives no part of a list that fails or turns in a circle', async () => {
  let asked = 0;
  const client = await clientOf((_request, response) => {
    asked += 1;
    const page = { data: [], paging: { cursors: { after: 'same' }, next: 'x' } };
    if (asked === 4) answer(response, 500, '');
    else answer(response, 200, page);
  });
  await assert.rejects(client.listTemplates(channel), PlatformRefusal);
  await assert.rejects(client.listTemplates(channel), PlatformRefusal);
});
