import { foldText } from '../../database/fold-text.ts';
import type { Comparison, Condition } from '../definition/definition.ts';
import { type ExpansionRoom, ExpansionTooLong, expandValue, newExpansionRoom, type VariableScope } from './expand.ts';

/** Whether a condition holds, and the value that it met. */
export type ExplainedCondition =
  | { holds: boolean; any: ExplainedCondition[] }
  | { holds: boolean; all: ExplainedCondition[] }
  | { holds: boolean; not: ExplainedCondition }
  | { holds: boolean; comparison: Comparison; met: unknown };

// In characters to fold. A definition has at most a million, and folding a million takes a second at worst.
const mostEffort = 2_000_000;
// To find a text again, and to search in one, takes a small part of that.
const charactersOfLookup = 16;
const charactersOfSearch = 64;

/**
 * Evaluates the conditions of one step, or of one start. Texts are compared as in searches: case and Arabic spelling make no
 * difference. Each text is folded once. Throws ExpansionTooLong where texts with their variables are too long to compare: variables
 * multiply, and a thousand tags in a thousand conditions took 17 seconds.
 */
export class ConditionEvaluator {
  readonly #scope: VariableScope;
  readonly #folded = new Map<string, string>();
  readonly #members = new Map<readonly unknown[], Set<string>>();
  #left = mostEffort;

  constructor(scope: VariableScope) {
    this.#scope = scope;
  }

  allHold(conditions: readonly Condition[]): boolean {
    return conditions.every((condition) => this.#holds(condition));
  }

  /** Why conditions hold or do not: the same decision, with the values of their comparisons, as far as there is room. */
  explain(conditions: readonly Condition[], room: ExpansionRoom): ExplainedCondition[] {
    return conditions.map((condition) => this.#explain(condition, room));
  }

  #explain(condition: Condition, room: ExpansionRoom): ExplainedCondition {
    if ('any' in condition) {
      const any = this.explain(condition.any, room);
      return { holds: any.some(({ holds }) => holds), any };
    }
    if ('all' in condition) {
      const all = this.explain(condition.all, room);
      return { holds: all.every(({ holds }) => holds), all };
    }
    if ('not' in condition) {
      const not = this.#explain(condition.not, room);
      return { holds: !not.holds, not };
    }
    const met = expandValue(condition.value, this.#scope, room) ?? null;
    return { holds: this.#compare(condition, met), comparison: condition, met };
  }

  #holds(condition: Condition): boolean {
    if ('any' in condition) return condition.any.some((one) => this.#holds(one));
    if ('all' in condition) return this.allHold(condition.all);
    if ('not' in condition) return !this.#holds(condition.not);
    return this.#compare(condition, expandValue(condition.value, this.#scope, newExpansionRoom()));
  }

  #compare(comparison: Comparison, value: unknown): boolean {
    const { equals, not_equals, contains, starts_with, one_of, exists, greater_than, less_than } = comparison;
    const given = (operand: unknown) => this.#toComparable(expandValue(operand, this.#scope));
    const folded = this.#toComparable(value);
    const checks: (boolean | undefined)[] = [
      equals === undefined ? undefined : folded === given(equals),
      not_equals === undefined ? undefined : folded !== given(not_equals),
      starts_with === undefined ? undefined : folded.startsWith(given(starts_with)),
      one_of?.some((one) => folded === given(one)),
      contains === undefined ? undefined : [contains].flat().some((part) => this.#includes(value, given(part))),
      exists === undefined ? undefined : (folded !== '') === exists,
      greater_than === undefined ? undefined : toNumber(folded) > greater_than,
      less_than === undefined ? undefined : toNumber(folded) < less_than,
    ];
    return checks.every((check) => check !== false);
  }

  /** A list includes its members, a text its parts. */
  #includes(value: unknown, part: string): boolean {
    if (Array.isArray(value)) return this.#membersOf(value).has(part);
    const text = this.#toComparable(value);
    this.#spend(text.length / charactersOfSearch);
    return text.includes(part);
  }

  #membersOf(list: readonly unknown[]): Set<string> {
    const known = this.#members.get(list);
    if (known) return known;
    const members = new Set(list.map((member) => this.#toComparable(member)));
    this.#members.set(list, members);
    return members;
  }

  #toComparable(value: unknown): string {
    if (value === undefined || value === null) return '';
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    this.#spend(text.length / charactersOfLookup);
    const known = this.#folded.get(text);
    if (known !== undefined) return known;
    this.#spend(text.length);
    const folded = foldText(text).trim();
    this.#folded.set(text, folded);
    return folded;
  }

  #spend(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new ExpansionTooLong('The conditions with their variables are too long to compare.');
  }
}

/** NaN for the empty text: it is neither greater nor less than a number. */
function toNumber(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}
