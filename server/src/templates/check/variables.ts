/** `{{1}}`, `{{2}}` … are numbered from 1 in each text of a template. */
const variable = /\{\{(\d+)\}\}/g;

/** The numbers in a text, in the order in which they stand there. */
export function variablesIn(text: string | undefined): number[] {
  return [...(text ?? '').matchAll(variable)].map((match) => Number(match[1]));
}

/** How many values a text takes: a variable that occurs twice takes one. */
export function countVariables(text: string | undefined): number {
  return Math.max(0, ...variablesIn(text));
}

/** One pass: a value that looks like a variable stays as it is. */
export function fillVariables(text: string, values: readonly string[]): string {
  return text.replace(variable, (whole, number) => values[Number(number) - 1] ?? whole);
}

/** The text with something else in the place of each variable. */
export function replaceVariables(text: string, by: string): string {
  return text.replace(variable, () => by);
}
