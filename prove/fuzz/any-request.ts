import type { Operation } from '@majlis/contract';
import fc from 'fast-check';
import { arbitraryOf, type JsonSchema, type Known } from './arbitrary-of.ts';
import { hostileBodies, hostileText } from './hostile-inputs.ts';

export interface AnyRequest {
  operation: Operation;
  /** From `/v1` on. */
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Valid, nearly valid and hostile requests to one of these operations. */
export function anyRequest(operations: readonly Operation[], known: Known): fc.Arbitrary<AnyRequest> {
  return fc.oneof(...operations.map((operation) => requestTo(operation, known)));
}

function requestTo(operation: Operation, known: Known): fc.Arbitrary<AnyRequest> {
  const { method, params, query, body, idempotent } = operation;
  return fc
    .record({
      params: params ? arbitraryOf(params as JsonSchema, known) : fc.constant({}),
      query: query ? fc.oneof(arbitraryOf(query as JsonSchema, known), anyQuery(query as JsonSchema)) : fc.constant({}),
      body: body ? bodyOf(body as JsonSchema, known) : method === 'GET' ? fc.constant(undefined) : surplusBody,
      key: idempotent ? fc.option(fc.uuid(), { nil: undefined }) : fc.constant(undefined),
    })
    .map(({ params, query, body, key }) => ({
      operation,
      url: urlOf(operation.path, params as Record<string, string>, query as Record<string, unknown>),
      headers: {
        ...(body === undefined ? {} : { 'content-type': operation.body_content_type ?? 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body,
    }));
}

function bodyOf(schema: JsonSchema, known: Known): fc.Arbitrary<string> {
  const right = arbitraryOf(schema, known);
  return fc.oneof(
    { weight: 6, arbitrary: right.map(toJson) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(right, fc.nat(), wrongValue)
        .map(([value, place, wrong]) => toJson(spoil(value, place, wrong))),
    },
    { weight: 1, arbitrary: fc.oneof(fc.constantFrom(...hostileBodies), fc.string(), fc.json()) },
  );
}

/** Where none is taken. */
const surplusBody = fc.option(fc.oneof(fc.constantFrom(...hostileBodies), fc.string(), fc.json()), { nil: undefined });

const wrongValue = fc.oneof(fc.constantFrom(...hostileText), fc.jsonValue({ maxDepth: 2 }));

/** The value with one wrong member at any depth. */
function spoil(value: unknown, place: number, wrong: unknown): unknown {
  if (typeof value !== 'object' || value === null) return wrong;
  const names = Object.keys(value);
  if (names.length === 0) return Array.isArray(value) ? [wrong] : { surplus: wrong };
  const name = names[place % names.length]!;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
  const inside = Reflect.get(copy, name);
  const deeper = place % 3 !== 0;
  Reflect.set(copy, name, deeper ? spoil(inside, Math.floor(place / names.length), wrong) : wrong);
  return copy;
}

function anyQuery({ properties = {} }: JsonSchema): fc.Arbitrary<unknown> {
  const names = fc.constantFrom(...Object.keys(properties), 'surplus');
  return fc.dictionary(names, fc.constantFrom(...hostileText), { maxKeys: 3 });
}

function urlOf(path: string, params: Record<string, string>, query: Record<string, unknown>): string {
  // No URL has a segment of one dot or two: clients resolve it before they ask, and would ask for another path.
  const segment = (name: string) => encode((params[name] ?? '').replace(/^\.{1,2}$/, '...'));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name));
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(String(value))}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** Half a surrogate pair has no place in a URL. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Halves of surrogate pairs travel as escapes. */
function toJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
