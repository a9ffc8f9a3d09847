/** What variables read: the members of these objects, and nothing that they inherit. */
export type Scope = Record<string, unknown>;

const variable = /\{\{\s*([^{}]*?)\s*\}\}/g;
const whole = /^\{\{\s*([^{}]*?)\s*\}\}$/;
const path = /^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*$/u;

/**
 * The text with each variable replaced by its value, once: whatever a value holds, braces included, stays as it is. One
 * that has no value becomes nothing. `encode` is for places where a value must not be more than a value, such as a URL.
 */
export function expand(text: string, scope: Scope, encode: (value: string) => string = (value) => value): string {
  return text.replaceAll(variable, (_, name: string) => encode(toText(readVariable(name, scope))));
}

/** A value of JSON with the variables of all its texts expanded; a text that is one variable alone becomes its value. */
export function expandValue(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') {
    const name = whole.exec(value)?.[1];
    return name === undefined ? expand(value, scope) : (readVariable(name, scope) ?? null);
  }
  if (Array.isArray(value)) return value.map((item) => expandValue(item, scope));
  if (value === null || typeof value !== 'object') return value;
  // By entries: a member named __proto__ is one like any other.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expandValue(member, scope)]));
}

/** The text with what stands between its variables changed. */
export function changeLiterals(text: string, change: (literal: string) => string): string {
  let from = 0;
  let changed = '';
  for (const { 0: found, index } of text.matchAll(variable)) {
    changed += change(text.slice(from, index)) + found;
    from = index + found.length;
  }
  return changed + change(text.slice(from));
}

/** The names of the variables in a text. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(variable)].map(([, name]) => name!);
}

export function isVariableName(name: string): boolean {
  return path.test(name);
}

function readVariable(name: string, scope: Scope): unknown {
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
