/** `{{1}}`, `{{2}}` …: numbered from 1 in each text. */
const variable = /\{\{(\d+)\}\}/g;

/** The numbers of a text's variables, in order of appearance. */
export function variablesIn(text: string | undefined): number[] {
  return [...(text ?? '').matchAll(variable)].map((match) => Number(match[1]));
}

/** How many values a text takes; a repeated variable takes one. */
export function countVariables(text: string | undefined): number {
  return variablesIn(text).reduce((most, number) => Math.max(most, number), 0);
}

/** Replaces every variable by one text. */
export function replaceVariables(text: string, by: string): string {
  return text.replace(variable, () => by);
}

// The platform's other format: lower-case letters, digits and underscores (platform protocol, section 5.2).
const anyVariable = /\{\{\s*(\w+)\s*\}\}/g;

/** The names of a text's variables, numbers and words, each once, in the order of their first appearance. */
export function variableNames(text: string | undefined): string[] {
  return [...new Set([...(text ?? '').matchAll(anyVariable)].map((match) => match[1]!))];
}

/** Whether a name of a variable is a word: no format numbers it. */
export function isWord(name: string): boolean {
  return !/^\d+$/.test(name);
}

/** Replaces in one pass, so a value that looks like a variable stays. */
export function fillNames(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(anyVariable, (whole, name) => values.get(name) ?? whole);
}
