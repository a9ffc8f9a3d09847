import type { JsonObject } from './json-object.ts';

// Readers for JSON of unknown shape. A value of another shape becomes `undefined`; no reader throws.

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The own member of a value; undefined where the value is no object. */
export function readMember(value: unknown, member: string): unknown {
  return isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}

/** A text that is not empty: in places the platform writes `""` for an absent value. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A word from a list. The platform writes some in capitals, or with spaces around them. */
export function readWord(value: unknown): string | undefined {
  return readText(value)?.trim().toLowerCase() || undefined;
}

export function readInteger(value: unknown): number | undefined {
  if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** An id: text in some places, a JSON integer in others. */
export function readId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value).toString();
  return readText(value);
}
