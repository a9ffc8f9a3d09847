import { foldText } from '../../database/fold-text.ts';
import type { Comparison, Condition } from '../definition/definition.ts';
import { expandValue, type VariableScope } from './expand.ts';

/** Whether all conditions hold. Texts are compared as in searches: case and Arabic spelling make no difference. */
export function allConditionsHold(conditions: readonly Condition[], scope: VariableScope): boolean {
  return conditions.every((condition) => conditionHolds(condition, scope));
}

/** Whether a condition holds, and the value that it met. */
export type ExplainedCondition =
  | { holds: boolean; any: ExplainedCondition[] }
  | { holds: boolean; all: ExplainedCondition[] }
  | { holds: boolean; not: ExplainedCondition }
  | { holds: boolean; comparison: Comparison; met: unknown };

/** Why a condition holds or does not: the same decision, with the values of its comparisons. */
export function explainCondition(condition: Condition, scope: VariableScope): ExplainedCondition {
  const holds = conditionHolds(condition, scope);
  const explain = (one: Condition) => explainCondition(one, scope);
  if ('any' in condition) return { holds, any: condition.any.map(explain) };
  if ('all' in condition) return { holds, all: condition.all.map(explain) };
  if ('not' in condition) return { holds, not: explain(condition.not) };
  return { holds, comparison: condition, met: expandValue(condition.value, scope) ?? null };
}

function conditionHolds(condition: Condition, scope: VariableScope): boolean {
  if ('any' in condition) return condition.any.some((one) => conditionHolds(one, scope));
  if ('all' in condition) return allConditionsHold(condition.all, scope);
  if ('not' in condition) return !conditionHolds(condition.not, scope);
  return compare(condition, expandValue(condition.value, scope), scope);
}

function compare(comparison: Comparison, value: unknown, scope: VariableScope): boolean {
  const { equals, not_equals, contains, starts_with, one_of, exists, greater_than, less_than } = comparison;
  const given = (operand: unknown) => toComparable(expandValue(operand, scope));
  const folded = toComparable(value);
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

/** A list includes its members, a text its parts. */
function includes(value: unknown, part: string): boolean {
  if (Array.isArray(value)) return value.some((member) => toComparable(member) === part);
  return toComparable(value).includes(part);
}

function toComparable(value: unknown): string {
  if (value === undefined || value === null) return '';
  return fold(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

// A step compares one value with many others, and a long value takes up to 60 ms.
let lastLong = { text: '', folded: '' };

function fold(text: string): string {
  if (text.length < 1_000) return foldText(text).trim();
  if (lastLong.text !== text) lastLong = { text, folded: foldText(text).trim() };
  return lastLong.folded;
}

/** NaN for the empty text: it is neither greater nor less than a number. */
function toNumber(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}
