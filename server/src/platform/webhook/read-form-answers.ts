import { parsePlatformJson } from '../parse-platform-json.ts';
import { isObject, readMember, readText } from '../read-json.ts';
import { readVisible, readVisibleLines } from '../read-visible.ts';

export interface FormAnswer {
  name: string;
  value: string;
}

/** The answers of a submitted form, in their order, of the `interactive` of a message. Undefined where it has none. */
export function readFormAnswers(interactive: unknown): FormAnswer[] | undefined {
  const response = readMember(readMember(interactive, 'nfm_reply'), 'response_json');
  const text = readText(response);
  const answers = text === undefined ? response : parse(text);
  if (!isObject(answers)) return text === undefined ? undefined : [{ name: 'response_json', value: text }];
  // The token is that of the sent message, and no answer of the customer.
  const entries = Object.entries(answers).filter(([name]) => name !== 'flow_token');
  if (entries.length === 0) return undefined;
  return entries.map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value) }));
}

/** The same as people see them: a name on one line, and nothing that reorders the text around it. */
export function readShownAnswers(interactive: unknown): FormAnswer[] | undefined {
  return readFormAnswers(interactive)?.map(({ name, value }) => {
    return { name: readVisible(name) ?? '?', value: readVisibleLines(value) ?? '' };
  });
}

/** The answers are JSON inside JSON: what cannot be stored as text, and large integers, come a second time. */
function parse(text: string): unknown {
  try {
    return parsePlatformJson(text);
  } catch {
    return undefined;
  }
}
