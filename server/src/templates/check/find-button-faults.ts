import type { ErrorDetail, TemplateButton, TemplateComponent } from '@majlis/contract';
import { takesValue } from '../../platform/send/compose-template.ts';
import { replaceVariables, variablesIn } from './variables.ts';

/** The most buttons of each type. The platform judges types that are not listed. */
const maxOfType = new Map([
  ['quick_reply', 10],
  ['url', 2],
  ['phone_number', 1],
  ['copy_code', 1],
]);

/** Checks types, counts, lengths and order of buttons (platform protocol, section 5.2). */
export function findButtonFaults({ buttons = [], examples = [] }: TemplateComponent, place: string): ErrorDetail[] {
  const list = `${place}/buttons`;
  const kinds = buttons.map(({ type }) => type?.toLowerCase());
  const values = buttons.filter(({ type, url }) => takesValue(type, url)).length;
  const runs = kinds.filter((kind, index) => kind === 'quick_reply' && kinds[index - 1] !== 'quick_reply').length;
  const excessive = [...maxOfType].filter(([kind, limit]) => kinds.filter((one) => one === kind).length > limit);
  return [
    ...(buttons.length >= 1 && buttons.length <= 10 ? [] : [{ detail: 'must be 1 to 10 buttons', pointer: list }]),
    ...excessive.map(([kind, limit]) => ({ detail: `must have at most ${limit} of type ${kind}`, pointer: list })),
    ...(runs > 1 ? [{ detail: 'must have all quick replies side by side', pointer: list }] : []),
    ...buttons.flatMap((button, index) => findFaults(button, `${list}/${index}`)),
    ...(examples.length >= values
      ? []
      : [{ detail: 'must hold an example for each button that takes a value', pointer: `${place}/examples` }]),
  ];
}

function findFaults({ type, text, url, phone_number }: TemplateButton, place: string): ErrorDetail[] {
  const kind = type?.toLowerCase();
  if (kind === undefined) return [{ detail: 'is required', pointer: `${place}/type` }];
  if (!maxOfType.has(kind) || kind === 'copy_code') return [];
  return [
    ...findTextFaults(text, 25, `${place}/text`),
    ...(kind === 'phone_number' ? findTextFaults(phone_number, 20, `${place}/phone_number`) : []),
    ...(kind === 'url'
      ? [...findTextFaults(url, 2000, `${place}/url`), ...findUrlFaults(url ?? '', `${place}/url`)]
      : []),
  ];
}

function findTextFaults(value: string | undefined, length: number, pointer: string): ErrorDetail[] {
  if (!value) return [{ detail: 'is required', pointer }];
  return [...value].length > length ? [{ detail: `must not be longer than ${length} characters`, pointer }] : [];
}

function findUrlFaults(url: string, pointer: string): ErrorDetail[] {
  const [number, ...more] = variablesIn(url);
  const isFine = number === undefined || (number === 1 && more.length === 0 && url.endsWith('}}'));
  const malformed = /\{\{|\}\}/.test(replaceVariables(url, ''));
  return isFine && !malformed ? [] : [{ detail: 'may have one variable, {{1}}, at its end', pointer }];
}
