import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Type } from 'typebox';
import { type ErrorCode, errors } from './errors.ts';
import { buildOpenApi } from './openapi.ts';
import { hoistSchemas } from './openapi-schemas.ts';
import { type Operation, refusalsOf } from './operation.ts';
import { operations } from './operations.ts';

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly 'x-availability': string;
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Answer {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly example?: unknown; readonly examples?: object }>>;
}

const document = buildOpenApi();
const rateLimits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

test('contract/openapi.json is generated from the operations', async () => {
  const file = await readFile(new URL('../openapi.json', import.meta.url), 'utf8');
  assert.deepEqual(JSON.parse(file), JSON.parse(JSON.stringify(document)));
});

for (const operation of Object.values<Operation>(operations)) {
  test(`${operation.id} is described, with its label, examples and answers`, () => {
    const described = document.paths[operation.path]?.[operation.method.toLowerCase()] as Described;
    assert.equal(described.operationId, operation.id);
    assert.equal(described['x-availability'], operation.label);
    assert.ok(described.summary.length > 0 && described.description.length > 0);
    for (const media of Object.values(described.requestBody?.content ?? {})) assert.notEqual(media.example, undefined);
    const reply = described.responses[operation.reply.status];
    assert.deepEqual(Object.keys(reply?.headers ?? {}), rateLimits);
    for (const media of Object.values(reply?.content ?? {})) assert.notEqual(media.example, undefined);
    for (const status of ['401', '429', '500']) assert.match(described.responses[status]?.$ref ?? '', /responses/);
    for (const parameter of described.parameters ?? []) assert.ok(parameter.$ref ?? parameter.description);
    const takesKey = described.parameters?.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey');
    assert.equal(takesKey ?? false, operation.idempotent);
  });
}

test('every reference of the document has a target', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g);
  for (const [reference, kind = '', name = ''] of references) {
    assert.ok(document.components[kind]?.[name] !== undefined, reference);
  }
});

test('every refusal shows the rate-limit headers', () => {
  for (const answer of Object.values(document.components.responses ?? {})) {
    const { headers = {} } = answer as Answer;
    assert.deepEqual(Object.keys(headers).slice(0, 3), rateLimits);
  }
});

test('every operation shows its own refusals, an example for each, and those of no other', () => {
  for (const operation of Object.values<Operation>(operations)) {
    const described = document.paths[operation.path]?.[operation.method.toLowerCase()] as Described;
    const shown = Object.entries(described.responses).flatMap(([status, answer]) => {
      const name = answer.$ref?.split('/').at(-1);
      const { content } = name === undefined ? answer : (document.components.responses![name] as Answer);
      const codes = Object.keys(content?.['application/json']?.examples ?? {}) as ErrorCode[];
      for (const code of codes) assert.equal(errors[code].status, Number(status));
      return codes;
    });
    assert.deepEqual(shown.toSorted(), refusalsOf(operation).toSorted(), operation.id);
  }
});

test('two different schemas may not share a title', () => {
  const { refer } = hoistSchemas();
  refer(Type.Object({ id: Type.String() }, { title: 'Thing' }));
  assert.throws(() => refer(Type.Object({ id: Type.Integer() }, { title: 'Thing' })), /Thing/);
});
