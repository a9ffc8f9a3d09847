import type { ErrorDetail } from '@majlis/contract';
import { Refusal } from './refusal.ts';

/**
 * Names the member that the client wrote in the place of a missing one. The contract allows unknown members, so a misspelled
 * one alone refuses nothing.
 */
export function nameMisspellings(refusal: Refusal, body: unknown): Refusal {
  const { errors } = refusal.extra;
  if (!errors?.some(isMissing)) return refusal;
  const named = errors.map((error) => (isMissing(error) ? nameMisspelling(error, body) : error));
  return new Refusal(refusal.code, { ...refusal.extra, errors: named });
}

function isMissing({ detail }: ErrorDetail): boolean {
  return detail.startsWith('is required');
}

function nameMisspelling(error: ErrorDetail, body: unknown): ErrorDetail {
  const path = error.pointer.split('/').slice(1);
  const missing = path.pop();
  const owner = path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);
  if (missing === undefined || typeof owner !== 'object' || owner === null) return error;
  const sent = Object.keys(owner).find((name) => isAlike(name, missing));
  return sent === undefined ? error : { ...error, detail: `${error.detail}; "${sent}" is not known` };
}

/** Whether two letters at most are wrong, missing or too many. Short names are alike by chance. */
function isAlike(name: string, other: string): boolean {
  if (other.length < 4 || Math.abs(name.length - other.length) > 2) return false;
  return distance(name.toLowerCase(), other.toLowerCase()) <= Math.min(2, other.length - 3);
}

/** The Levenshtein distance of two short names. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
