import type { ErrorDetail, TemplateComponent, TemplateCreate } from '@majlis/contract';
import { findButtonFaults } from './find-button-faults.ts';
import { countVariables, replaceVariables, variablesIn } from './variables.ts';

/**
 * Finds the faults that the platform would refuse by shape alone (platform protocol, section 5.2), each with its pointer.
 * Lengths count code points. The platform judges rules that depend on the account. The search for emoji takes 4 ms a thousand,
 * so it leaves out texts that are too long, and all but the first component of a type.
 */
export function findTemplateFaults({ name, language, category, components }: TemplateCreate): ErrorDetail[] {
  // The platform writes the texts of a one-time code.
  const isFree = category !== 'authentication';
  const countOf = (wanted: string) => components.filter(({ type }) => type === wanted).length;
  const isFirst = ({ type }: TemplateComponent, index: number) =>
    type === undefined || components.findIndex((other) => other.type === type) === index;
  const bodies = countOf('body');
  const repeated = ['header', 'footer', 'buttons'].filter((type) => countOf(type) > 1);
  return [
    ...(/^[a-z0-9_]{1,512}$/.test(name)
      ? []
      : [{ detail: 'must be 1 to 512 characters of a-z, 0-9 and _', pointer: '/name' }]),
    ...(/^[a-z]{2,3}(_[A-Z]{2})?$/.test(language)
      ? []
      : [{ detail: 'must be a language code such as en or en_US', pointer: '/language' }]),
    ...(bodies === 1 ? [] : [{ detail: `must hold exactly one body, not ${bodies}`, pointer: '/components' }]),
    ...repeated.map((type) => ({ detail: `must hold at most one component of type ${type}`, pointer: '/components' })),
    ...components.flatMap((component, index) =>
      isFirst(component, index) ? findComponentFaults(component, `/components/${index}`, isFree) : [],
    ),
  ];
}

function findComponentFaults(component: TemplateComponent, place: string, isFree: boolean): ErrorDetail[] {
  if (component.type === undefined) return [{ detail: 'is required', pointer: `${place}/type` }];
  if (!isFree) return [];
  const isMisplaced = component.buttons !== undefined && component.type !== 'buttons';
  return [
    ...faults(`${place}/buttons`, [[isMisplaced, 'must stand in a component of type buttons']]),
    ...findFaultsOfType(component.type, component, place),
  ];
}

function findFaultsOfType(
  type: NonNullable<TemplateComponent['type']>,
  component: TemplateComponent,
  place: string,
): ErrorDetail[] {
  switch (type) {
    case 'header':
      return findHeaderFaults(component, place);
    case 'body':
      return findBodyFaults(component, place);
    case 'footer':
      return findFooterFaults(component, place);
    case 'buttons':
      return findButtonFaults(component, place);
  }
}

function findHeaderFaults(component: TemplateComponent, place: string): ErrorDetail[] {
  const { format, text = '', examples = [] } = component;
  if (format === undefined) return [{ detail: 'is required for a header', pointer: `${place}/format` }];
  if (format !== 'text') {
    const detail = `must hold the media_id of a sample ${format}, or the platform’s handle of one`;
    return examples.length > 0 ? [] : [{ detail, pointer: `${place}/examples` }];
  }
  const isLong = lengthOf(text) > 60;
  return [
    ...faults(`${place}/text`, [
      [text.trim() === '', 'is required'],
      [isLong, 'must not be longer than 60 characters'],
      [!isLong && /[\n*_~`]|\p{RGI_Emoji}/v.test(text), 'must have no line break, markdown or emoji'],
      [countVariables(text) > 1, 'must have at most one variable'],
    ]),
    ...findVariableFaults(component, place),
  ];
}

function findBodyFaults(component: TemplateComponent, place: string): ErrorDetail[] {
  const { text = '' } = component;
  const trimmed = text.trim();
  const isLong = lengthOf(text) > 1024;
  return [
    ...faults(`${place}/text`, [
      [trimmed === '', 'is required'],
      [isLong, 'must not be longer than 1024 characters'],
      [/(\r?\n){3}/.test(text), 'must not have more than two line breaks in a row'],
      [!isLong && (text.match(/\p{RGI_Emoji}/gv)?.length ?? 0) > 10, 'must not have more than ten emoji'],
      [/^\{\{\d+\}\}|\{\{\d+\}\}$/.test(trimmed), 'must neither begin nor end with a variable'],
      [/\}\}\s*\{\{/.test(text), 'must have words between its variables'],
    ]),
    ...findVariableFaults(component, place),
  ];
}

function findFooterFaults({ text = '' }: TemplateComponent, place: string): ErrorDetail[] {
  return faults(`${place}/text`, [
    [text.trim() === '', 'is required'],
    [lengthOf(text) > 60, 'must not be longer than 60 characters'],
    [/\{\{|\}\}/.test(text), 'must have no variables'],
  ]);
}

/** Variables must be well formed, numbered in sequence, each with an example. */
function findVariableFaults({ text = '', examples = [] }: TemplateComponent, place: string): ErrorDetail[] {
  const numbers = [...new Set(variablesIn(text))];
  const malformed = /\{\{|\}\}/.test(replaceVariables(text, ''));
  const inSequence = numbers.every((number, index) => number === index + 1);
  return [
    ...faults(`${place}/text`, [
      [malformed, 'must have its variables written {{1}}, {{2}} and so on'],
      [!inSequence, 'must have its variables numbered in sequence from {{1}}'],
    ]),
    ...faults(`${place}/examples`, [
      [examples.length < numbers.length, `must hold an example for each of the ${numbers.length} variables`],
    ]),
  ];
}

function faults(pointer: string, rules: [broken: boolean, detail: string][]): ErrorDetail[] {
  return rules.flatMap(([broken, detail]) => (broken ? [{ detail, pointer }] : []));
}

function lengthOf(text: string): number {
  return [...text].length;
}
