import { foldText } from '../../database/fold-text.ts';
import type { Comparison, Condition } from '../definition/definition.ts';
import { expandValue, type Scope } from './expand.ts';

/** Whether all of them hold. Texts are compared as they are searched: case and Arabic spelling make no difference. */
export function hold(conditions: readonly Condition[], scope: Scope): boolean {
  return conditions.every((condition) => holds(condition, scope));
}

function holds(condition: Condition, scope: Scope): boolean {
  if ('any' in condition) return condition.any.some((one) => holds(one, scope));
  if ('all' in condition) return hold(condition.all, scope);
  if ('not' in condition) return !holds(condition.not, scope);
  return compare(condition, expandValue(condition.value, scope), scope);
}

function compare(comparison: Comparison, value: unknown, scope: Scope): boolean {
  const { equals, not_equals, contains, starts_with, one_of, exists, greater_than, less_than } = comparison;
  const given = (operand: unknown) => toFolded(expandValue(operand, scope));
  const folded = toFolded(value);
  const checks: (boolean | undefined)[] = [
    equals === undefined ? undefined : folded === given(equals),
    not_equals === undefined ? undefined : folded !== given(not_equals),
    starts_with === undefined ? undefined : folded.startsWith(given(starts_with)),
    one_of?.some((one) => folded === given(one)),
    contains === undefined ? undefined : [contains].flat().some((part) => includes(value, given(part))),
    exists === undefined ? undefined : (folded !== '') === exists,
    greater_than === undefined ? undefined : toNumber(folded) > greater_than,
    less_than === undefined ? undefined : toNumber(folded) < less_than,
  ];
  return checks.every((check) => check !== false);
}

/** A list includes what is one of its members, a text what is a part of it. */
function includes(value: unknown, part: string): boolean {
  if (Array.isArray(value)) return value.some((member) => toFolded(member) === part);
  return toFolded(value).includes(part);
}

function toFolded(value: unknown): string {
  if (value === undefined || value === null) return '';
  return foldText(typeof value === 'object' ? JSON.stringify(value) : String(value)).trim();
}

/** What is no number is neither greater nor less than one. */
function toNumber(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}
