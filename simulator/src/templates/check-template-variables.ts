import { type GraphComponent, variablesOf } from './graph-template.ts';
import { refuseTemplate } from './template-refusal.ts';

/** Checks a text's variables and examples; returns the number of variables. */
export function checkVariables(part: GraphComponent, where: 'HEADER' | 'BODY', named: boolean): number {
  const text = String(part.text ?? '').trim();
  const kind = where === 'HEADER' ? 'header' : 'body';
  const variables = [...new Set(variablesOf(text))];
  if (/\{\{|\}\}/.test(text.replace(/\{\{[^{}]*\}\}/g, ''))) throw refuseTemplate(kind, 'A variable is malformed.');
  if (variables.length === 0) return 0;

  checkNames(variables, kind, named);
  if (where === 'BODY') {
    if (/^\{\{|\}\}$/.test(text))
      throw refuseTemplate('edges', 'Variables cannot be at the start or end of the template.');
    if (/\}\}\s*\{\{/.test(text)) throw refuseTemplate('body', 'Variables cannot follow each other.');
    const words = text.replace(/\{\{[^{}]*\}\}/g, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
    // The platform documents no figure; integrators report about three words per variable.
    if (words < 2 * variables.length + 1)
      throw refuseTemplate('ratio', 'This template has too many variables for its length.');
  }
  if (countExamples(part, where, named) < variables.length) throw refuseTemplate('example', where);
  return variables.length;
}

function checkNames(variables: string[], kind: 'header' | 'body', named: boolean): void {
  if (named) {
    if (!variables.every((name) => /^[a-z_]+$/.test(name))) {
      throw refuseTemplate(kind, 'Named variables have lower case letters and underscores only.');
    }
    return;
  }
  if (!variables.every((name, index) => name === String(index + 1))) {
    throw refuseTemplate(kind, 'Variables must be numbered in sequence, beginning with {{1}}.');
  }
}

function countExamples({ example }: GraphComponent, where: 'HEADER' | 'BODY', named: boolean): number {
  if (named) return lengthOf(example?.[where === 'HEADER' ? 'header_text_named_params' : 'body_text_named_params']);
  if (where === 'HEADER') return lengthOf(example?.header_text);
  const rows = example?.body_text;
  const first = Array.isArray(rows) ? rows[0] : undefined;
  return Array.isArray(first) ? first.length : lengthOf(rows);
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
