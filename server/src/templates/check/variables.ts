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

/** Replaces in one pass, so a value that looks like a variable stays. */
export function fillVariables(text: string, values: readonly string[]): string {
  return text.replace(variable, (whole, number) => values[Number(number) - 1] ?? whole);
}

/** Replaces every variable by one text. */
export function replaceVariables(text: string, by: string): string {
  return text.replace(variable, () => by);
}
