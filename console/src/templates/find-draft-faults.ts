import type { WordId } from '../words/word-id.ts';
import { numbersIn, type TemplateDraft, takesExample } from './template-draft.ts';

export interface DraftFault {
  word: WordId;
  values?: Record<string, number>;
}

const mostOfHeader = 60;
const mostOfBody = 1_024;

/**
 * What the service would refuse, by the name of the field, so that people read it in their language. The service checks
 * everything again.
 */
export function findDraftFaults(draft: TemplateDraft): Map<string, DraftFault> {
  const { name, category, header, header_text, header_example, media_id, body, examples, footer, buttons } = draft;
  const faults = new Map<string, DraftFault>();
  const add = (field: string, fault: DraftFault | undefined) => fault && !faults.has(field) && faults.set(field, fault);
  const need = (field: string, text: string) =>
    add(field, text.trim() === '' ? { word: 'templates.fault_needed' } : undefined);

  add('name', /^[a-z0-9_]{1,512}$/.test(name.trim()) ? undefined : { word: 'templates.fault_name' });
  if (category === 'authentication') return faults;
  if (header === 'text') {
    need('header_text', header_text);
    add('header_text', tooLong(header_text, mostOfHeader));
    if (/[\n*_~`]|\p{Extended_Pictographic}/u.test(header_text))
      add('header_text', { word: 'templates.fault_header_plain' });
    if (numbersIn(header_text).length > 1) add('header_text', { word: 'templates.fault_header_variables' });
    add('header_text', faultOfVariables(header_text));
    if (numbersIn(header_text).length > 0) need('header_example', header_example);
  } else if (header !== 'none' && !media_id) add('sample', { word: 'templates.fault_sample' });
  need('body', body);
  add('body', tooLong(body, mostOfBody));
  const trimmed = body.trim();
  if (/^\{\{\d+\}\}|\{\{\d+\}\}$/.test(trimmed)) add('body', { word: 'templates.fault_edge' });
  if (/\}\}\s*\{\{/.test(body)) add('body', { word: 'templates.fault_adjacent' });
  add('body', faultOfVariables(body));
  for (const number of numbersIn(body)) need(`example_${number}`, examples[number] ?? '');
  add('footer', tooLong(footer, mostOfHeader));
  if (/\{\{|\}\}/.test(footer)) add('footer', { word: 'templates.fault_footer_variables' });
  for (const button of buttons) {
    const { key, type, text, url, phone_number, example } = button;
    if (type !== 'copy_code') need(`button_text_${key}`, text);
    add(`button_text_${key}`, tooLong(text, 25));
    if (type === 'url') need(`button_url_${key}`, url);
    if (type === 'phone_number') need(`button_phone_${key}`, phone_number);
    if (takesExample(button)) need(`button_example_${key}`, example);
  }
  return faults;
}

function tooLong(text: string, most: number): DraftFault | undefined {
  const count = [...text].length - most;
  return count > 0 ? { word: 'templates.fault_too_long', values: { count } } : undefined;
}

function faultOfVariables(text: string): DraftFault | undefined {
  if (/\{\{|\}\}/.test(text.replaceAll(/\{\{\d+\}\}/g, ''))) return { word: 'templates.fault_malformed' };
  return numbersIn(text).every((number, index) => number === index + 1)
    ? undefined
    : { word: 'templates.fault_sequence' };
}
