import { createHash } from 'node:crypto';
import type { JsonObject } from '../platform/json-object.ts';
import { isObject, readArray, readId, readMember } from '../platform/read-json.ts';

/** What a notification says about one number, as its line of unsplit notifications keeps it. */
export interface OfNumber {
  /** The queue key of the line. */
  line: string;
  body: string;
}

// The platform notifies of one number at a time. What is behind these shares the last line.
const mostNumbers = 32;

/**
 * Divides a notification by number, because unsplit notifications of a number keep their order and do not delay those of other
 * numbers. Changes of no number are in the first part. The usual one, of one number, is kept unchanged.
 */
export function divideByNumber(body: unknown, text: string): OfNumber[] {
  const parts = new Map<string, JsonObject[]>();
  for (const entry of readArray(readMember(body, 'entry'))) {
    for (const change of readArray(readMember(entry, 'changes'))) {
      const number = readId(readMember(readMember(readMember(change, 'value'), 'metadata'), 'phone_number_id'));
      const name = placeOf(parts, number);
      parts.get(name)!.push({ ...(isObject(entry) ? entry : {}), changes: [change] });
    }
  }
  const [first = '', ...others] = parts.keys();
  if (others.length === 0) return [{ line: lineOf(first), body: text }];
  const { object } = body as JsonObject;
  return [...parts].map(([number, entry]) => ({ line: lineOf(number), body: JSON.stringify({ object, entry }) }));
}

function placeOf(parts: Map<string, JsonObject[]>, number: string | undefined): string {
  const name = number ?? parts.keys().next().value ?? '';
  if (parts.has(name)) return name;
  if (parts.size === mostNumbers) return [...parts.keys()].at(-1)!;
  parts.set(name, []);
  return name;
}

/** Any function to 128 bits would do, because queue keys are only compared. */
function lineOf(number: string): string {
  return createHash('md5').update(`line ${number}`).digest('hex');
}
