import fc from 'fast-check';
import { hostileText } from './hostile-inputs.ts';

/** The part of JSON Schema that the contract uses. */
export interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  format?: string;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  maxItems?: number;
}

/** Values that the workspace knows, by the name of a member: ids, numbers, tags. */
export type Known = (name: string) => readonly string[];

/**
 * Values that a schema admits. Texts are of any kind; where the member's name says what it names, often a thing that
 * exists.
 */
export function arbitraryOf(schema: JsonSchema, known: Known, name = ''): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((part) => arbitraryOf(part, known, name)));
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => arbitraryOf({ ...schema, type }, known, name)));
  }
  switch (schema.type) {
    case 'string':
      return textOf(schema.format, known(name));
    case 'integer':
      return fc.oneof(fc.integer({ min: -5, max: 200 }), fc.maxSafeInteger());
    case 'number':
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, known, name), { maxLength: Math.min(schema.maxItems ?? 5, 5) });
    case 'object':
      return objectOf(schema, known);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function textOf(format: string | undefined, known: readonly string[]): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.date({ noInvalidDate: true, min: years[0], max: years[1] }).map(toIso);
  if (format === 'date') return fc.date({ noInvalidDate: true, min: years[0], max: years[1] }).map(toDay);
  if (format === 'email') return fc.emailAddress();
  if (format === 'uri') return fc.webUrl();
  const any = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constantFrom(...hostileText));
  return known.length === 0
    ? any
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: any });
}

const years = [new Date('0001-01-01'), new Date('9999-12-31')] as const;
const toIso = (date: Date) => date.toISOString();
const toDay = (date: Date) => date.toISOString().slice(0, 10);

function objectOf({ properties = {}, required = [], additionalProperties }: JsonSchema, known: Known) {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(schema, known, name)]),
  );
  const named = fc.record(members, { requiredKeys: required });
  if (Object.keys(properties).length > 0 || additionalProperties === false) return named;
  return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 });
}
