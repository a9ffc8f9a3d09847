import { GraphError } from '../graph/graph-error.ts';
import { isRecord } from '../graph/is-record.ts';
import { type GraphButton, variablesOf } from './graph-template.ts';
import { refuseTemplate } from './template-refusal.ts';

const most: Record<string, number> = { QUICK_REPLY: 10, URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1 };

/** Checks types, counts, lengths and the order of quick replies (section 5.2). */
export function checkButtons(given: unknown): void {
  if (!Array.isArray(given) || !given.every(isRecord)) throw invalid('buttons must be a list');
  const buttons = given as GraphButton[];
  const kinds = buttons.map((button) => String(button.type).toUpperCase());
  if (buttons.length < 1 || buttons.length > 10) throw invalid('a template can have 1 to 10 buttons');
  for (const [kind, limit] of Object.entries(most)) {
    if (kinds.filter((one) => one === kind).length > limit) throw invalid(`at most ${limit} buttons of type ${kind}`);
  }
  const runs = kinds.filter((kind, index) => kind === 'QUICK_REPLY' && kinds[index - 1] !== 'QUICK_REPLY').length;
  if (runs > 1) throw invalid('quick reply buttons must stand together');
  for (const [index, button] of buttons.entries()) checkButton(button, kinds[index]!);
}

function checkButton(button: GraphButton, kind: string): void {
  if (most[kind] === undefined) throw invalid(`the button type ${kind} is not supported`);
  if (kind === 'COPY_CODE') {
    const example = Array.isArray(button.example) ? button.example[0] : button.example;
    if (!example) throw refuseTemplate('example', 'BUTTONS');
    if (example.length > 20) throw refuseTemplate('length', 'BUTTONS');
    return;
  }
  if (!button.text) throw invalid('each button needs a text');
  if (button.text.length > 25) throw refuseTemplate('length', 'BUTTONS');
  if (kind === 'PHONE_NUMBER' && !/^\+?\d{1,20}$/.test(button.phone_number ?? ''))
    throw invalid('phone_number is not valid');
  if (kind === 'URL') checkUrl(button);
}

function checkUrl({ url, example }: GraphButton): void {
  if (!url || !/^https?:\/\//i.test(url)) throw invalid('url is not valid');
  if (url.length > 2000) throw refuseTemplate('length', 'BUTTONS');
  const variables = variablesOf(url);
  if (variables.length === 0) return;
  if (variables.length > 1 || !url.endsWith('}}')) throw invalid('a url can have one variable, at its end');
  if (!example || example.length === 0) throw refuseTemplate('example', 'BUTTONS');
}

function invalid(details: string): GraphError {
  return new GraphError(100, { message: '(#100) Invalid parameter', details });
}
