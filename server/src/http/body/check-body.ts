import { type TSchema, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { fingerprint } from '../idempotency/fingerprint.ts';
import { type Bounds, findBoundFault } from './check-bounds.ts';
import { type JsonFault, parseJson } from './parse-json.ts';

export interface BodyToCheck {
  raw: Uint8Array;
  max_values: number;
  /** JSON of the schema: text can be sent to a thread, and finds the compiled schema again. */
  schema: string;
  bounds: Bounds;
  fingerprinted: boolean;
}

export type CheckedBody =
  /** The body cannot be read, or exceeds a bound. */
  | { faults: JsonFault[] }
  /** It can, and does not fit its schema. */
  | { errors: TLocalizedValidationError[] }
  | { fingerprint: Uint8Array | undefined };

const compiled = new Map<string, { plain: TSchema; validator: Validator }>();

/** All checks of a body that take long. It runs in a thread, and what it answers is small. */
export function checkBody({ raw, max_values, schema, bounds, fingerprinted }: BodyToCheck): CheckedBody {
  const parsed = parseJson(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), max_values);
  if (!parsed.ok) return { faults: parsed.errors };
  const { plain, validator } = compile(schema);
  const fault = findBoundFault(plain, parsed.value, bounds);
  if (fault) return { faults: [fault] };
  if (!validator.Check(parsed.value)) return { errors: [...validator.Errors(parsed.value)] };
  return { fingerprint: fingerprinted ? fingerprint(parsed.value) : undefined };
}

function compile(schema: string): { plain: TSchema; validator: Validator } {
  const known = compiled.get(schema);
  if (known) return known;
  const plain = JSON.parse(schema) as TSchema;
  const made = { plain, validator: Compile(Type.Unsafe(plain)) };
  compiled.set(schema, made);
  return made;
}
