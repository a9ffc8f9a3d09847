import type { JsonObject } from './types.ts';

// Readers for values whose shape is only promised. What is not of the shape is `undefined`, never a throw.

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A member of an object that may not be one. */
export function readMember(value: unknown, member: string): unknown {
  return isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}

/** A text that says something: the platform writes an absent value as `""` in places. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function readInteger(value: unknown): number | undefined {
  if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** An id that is text in some places and a JSON integer in others. */
export function readId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value).toString();
  return readText(value);
}
