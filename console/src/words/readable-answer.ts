import { listOf } from './words.ts';

/** An answer of a form. The platform writes the chosen entries of a list, and groups of fields, as JSON. */
export function readableAnswer(value: string): string {
  if (!/^[[{]/.test(value)) return value;
  try {
    return readable(JSON.parse(value));
  } catch {
    // It was cut where one line has room, or is no JSON.
    return /^[[{]"/.test(value) ? value.replaceAll('","', ', ').replace(/["[\]{}]/g, '') : value;
  }
}

/** Each question with its answer, where one line has room for all. */
export function readableAnswers(text: string): string {
  return text.replace(/^([^:\n]+): (.*)$/gm, (_, name: string, value: string) => {
    return `${readableName(name)}: ${readableAnswer(value)}`;
  });
}

/** Programs name a question without spaces, people with them. */
export const readableName = (name: string) => (name.includes(' ') ? name : name.replaceAll('_', ' '));

function readable(value: unknown): string {
  if (Array.isArray(value)) return listOf(value.map(readable));
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return listOf(Object.entries(value).map(([name, one]) => `${readableName(name)}: ${readable(one)}`));
}
