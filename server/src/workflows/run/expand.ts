/** The values of variables: own members of these objects, never inherited ones. */
export type VariableScope = Record<string, unknown>;

// The name is trimmed afterwards: spaces on both sides of a lazy group take cubic time.
const variable = /\{\{([^{}]*)\}\}/g;
const wholeVariable = /^\{\{([^{}]*)\}\}$/;
// Variables in a text multiply: each may be as long as the text.
const mostCharacters = 65_536;
// So do texts in a value: 30,000 variables of a body would make a gigabyte.
const mostOfValue = 1_048_576;

export class ExpansionTooLong extends Error {
  constructor(reason = `A text with its variables has more than ${mostCharacters} characters.`) {
    super(reason);
  }
}

/** The result of the work, or that its texts are too long. */
export function orTooLong<Result>(work: () => Result): Result | ExpansionTooLong {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExpansionTooLong) return error;
    throw error;
  }
}

/** The characters that values may still come to. */
export interface ExpansionRoom {
  left: number;
}

export function newExpansionRoom(): ExpansionRoom {
  return { left: mostOfValue };
}

const variableName = /^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*$/u;

/** The scope of texts whose variables have their values already: what looks like a variable is text. */
export const asWritten: VariableScope = {};

/**
 * Replaces each variable by its value, once: braces inside a value are never expanded. A variable without a value becomes
 * the empty text. `encode` escapes values, for example in a URL. Throws ExpansionTooLong.
 */
export function expand(
  text: string,
  scope: VariableScope,
  encode: (value: string) => string = (value) => value,
): string {
  if (scope === asWritten) return text;
  let length = text.length;
  return text.replaceAll(variable, (_, name: string) => {
    const value = encode(toText(readVariable(name.trim(), scope)));
    length += value.length;
    if (length > mostCharacters) throw new ExpansionTooLong();
    return value;
  });
}

/**
 * Expands the variables in all texts of a JSON value. A text of one variable alone becomes its value, of any type. Throws
 * ExpansionTooLong, also where there is no room.
 */
export function expandValue(value: unknown, scope: VariableScope, room = newExpansionRoom()): unknown {
  if (typeof value === 'string') {
    const name = wholeVariable.exec(value)?.[1]?.trim();
    const expanded = name === undefined ? expand(value, scope) : (readVariable(name, scope) ?? null);
    room.left -= sizeOf(expanded);
    if (room.left >= 0) return expanded;
    throw new ExpansionTooLong(`A value with its variables has more than ${mostOfValue} characters.`);
  }
  if (Array.isArray(value)) return value.map((item) => expandValue(item, scope, room));
  if (value === null || typeof value !== 'object') return value;
  // `fromEntries` keeps a member named __proto__ an ordinary member.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expandValue(member, scope, room)]));
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0);
}

/** Changes the text between the variables. */
export function changeLiterals(text: string, change: (literal: string) => string): string {
  let from = 0;
  let changed = '';
  for (const { 0: found, index } of text.matchAll(variable)) {
    changed += change(text.slice(from, index)) + found;
    from = index + found.length;
  }
  return changed + change(text.slice(from));
}

/** The text between the variables. */
export function listLiterals(text: string): string[] {
  const literals: string[] = [];
  changeLiterals(text, (literal) => {
    literals.push(literal);
    return literal;
  });
  return literals;
}

/** The names of the variables in a text. */
export function listVariables(text: string): string[] {
  return [...text.matchAll(variable)].map(([, name]) => name!.trim());
}

export function isVariableName(name: string): boolean {
  return variableName.test(name);
}

function readVariable(name: string, scope: VariableScope): unknown {
  let value: unknown = scope;
  for (const member of name.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, member)) return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return value;
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
