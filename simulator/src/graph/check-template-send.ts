import {
  componentOf,
  type GraphButton,
  type GraphComponent,
  type GraphTemplate,
  isSendable,
  variablesOf,
} from '../templates/graph-template.ts';
import { templateText } from '../templates/template-text.ts';
import type { Dict } from '../world/message.ts';
import { GraphError } from './graph-error.ts';
import { isRecord } from './is-record.ts';

/** Finds the template of a send; checks its status and its parameters' number and types (section 1.2). */
export function checkTemplateSend(templates: Iterable<GraphTemplate>, waba_id: string, content: Dict): GraphTemplate {
  const name = String(content.name);
  const code = String((content.language as Dict).code);
  const template = findTemplate(templates, waba_id, name, code);
  if (template?.status === 'PAUSED') throw new GraphError(132015, { details: `template name (${name}) is paused.` });
  if (template?.status === 'DISABLED')
    throw new GraphError(132016, { details: `template name (${name}) is disabled.` });
  if (template === undefined || !isSendable(template)) {
    throw new GraphError(132001, { details: `template name (${name}) does not exist in ${code}` });
  }
  const sent = ((content.components as Dict[] | undefined) ?? []).filter(isRecord);
  checkHeader(template, sent);
  checkTexts('body', componentOf(template, 'BODY'), template, findSent(sent, 'body'));
  checkButtons(template, sent);
  if (templateText(template, content).body.length > 1024) throw new GraphError(132005);
  return template;
}

function findTemplate(
  all: Iterable<GraphTemplate>,
  waba_id: string,
  name: string,
  code: string,
): GraphTemplate | undefined {
  for (const one of all) {
    if (one.waba_id === waba_id && one.name === name && one.language === code) return one;
  }
  return undefined;
}

function findSent(sent: Dict[], type: string): Dict | undefined {
  return sent.find((part) => String(part.type).toLowerCase() === type);
}

function parametersOf(part: Dict | undefined): Dict[] {
  return Array.isArray(part?.parameters) ? part.parameters.filter(isRecord) : [];
}

function checkHeader(template: GraphTemplate, sent: Dict[]): void {
  const header = componentOf(template, 'HEADER');
  const part = findSent(sent, 'header');
  const format = header?.format ?? 'TEXT';
  if (header === undefined || format === 'TEXT') {
    checkTexts('header', header, template, part);
    return;
  }
  const kind = format.toLowerCase();
  const [parameter] = parametersOf(part);
  if (parameter?.type !== kind) {
    const received = parameter === undefined ? 'UNKNOWN' : String(parameter.type).toUpperCase();
    throw new GraphError(132012, { details: `header: Format mismatch, expected ${format}, received ${received}` });
  }
  const media = parameter[kind];
  if (!isRecord(media) || (kind !== 'location' && media.id === undefined && media.link === undefined)) {
    throw new GraphError(131008, {
      details: `Parameter '${kind}' is mandatory for component parameter type '${kind}'`,
    });
  }
}

function checkTexts(
  where: string,
  part: GraphComponent | undefined,
  template: GraphTemplate,
  sent: Dict | undefined,
): void {
  const expected = new Set(variablesOf(part?.text));
  const parameters = parametersOf(sent);
  if (parameters.length !== expected.size) {
    throw new GraphError(132000, {
      details: `${where}: number of localizable_params (${parameters.length}) does not match the expected number of params (${expected.size})`,
    });
  }
  for (const parameter of parameters) {
    if (!['text', 'currency', 'date_time'].includes(String(parameter.type))) {
      throw new GraphError(132012, {
        details: `${where}: Format mismatch, expected TEXT, received ${String(parameter.type).toUpperCase()}`,
      });
    }
    if (parameter.type === 'text') checkContent(parameter.text);
    if (template.parameter_format === 'NAMED' && !expected.has(String(parameter.parameter_name))) {
      throw new GraphError(100, {
        message: '(#100) Invalid parameter',
        details: `Parameter name is missing or empty: ${where}`,
      });
    }
  }
}

function checkContent(text: unknown): void {
  if (typeof text !== 'string' || text === '') {
    throw new GraphError(100, { details: "Parameter 'text' is mandatory for component parameter type 'text'" });
  }
  if (/[\n\r\t]| {5}/.test(text)) {
    throw new GraphError(132018, {
      details: 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    });
  }
}

function checkButtons(template: GraphTemplate, sent: Dict[]): void {
  const buttons = componentOf(template, 'BUTTONS')?.buttons ?? [];
  const parts = sent.filter((part) => String(part.type).toLowerCase() === 'button');
  for (const part of parts) {
    const button = buttons[Number(part.index)];
    if (button === undefined || !subTypesOf(button).includes(String(part.sub_type).toLowerCase())) {
      throw new GraphError(132000, {
        details: `buttons: Button at index ${String(part.index)} does not take this parameter`,
      });
    }
  }
  for (const [index, button] of buttons.entries()) {
    if (!needsParameter(button)) continue;
    const part = parts.find((one) => Number(one.index) === index);
    const [parameter] = parametersOf(part);
    if (parameter === undefined) {
      const what = `Button at index ${index} of type ${button.type} requires a parameter`;
      throw new GraphError(131008, { details: `buttons: ${what}` });
    }
    if (parameter.type === 'text') checkContent(parameter.text);
  }
}

function subTypesOf(button: GraphButton): string[] {
  if (button.type === 'OTP') return ['url', 'copy_code'];
  return [button.type.toLowerCase()];
}

function needsParameter(button: GraphButton): boolean {
  if (button.type === 'OTP' || button.type === 'COPY_CODE' || button.type === 'FLOW') return true;
  return button.type === 'URL' && variablesOf(button.url).length > 0;
}
