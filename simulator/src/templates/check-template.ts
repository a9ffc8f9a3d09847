import { GraphError, missingParameter } from '../graph/graph-error.ts';
import { isRecord } from '../graph/is-record.ts';
import type { Dict } from '../world/message.ts';
import { checkButtons } from './check-template-buttons.ts';
import { checkVariables } from './check-template-variables.ts';
import type { GraphComponent, TemplateOptions } from './graph-template.ts';
import { refuseTemplate } from './template-refusal.ts';

const categories = ['UTILITY', 'MARKETING', 'AUTHENTICATION'];

/** The checks of a new template before its review (section 5.2). */
export function checkTemplate(body: Dict): TemplateOptions {
  const { name, language, category, components, parameter_format } = body;
  if (typeof name !== 'string') throw missingParameter('name');
  if (!/^[a-z0-9_]{1,512}$/.test(name)) {
    throw new GraphError(100, {
      message: '(#100) Param name can only have lowercase letters, numbers and underscores.',
    });
  }
  if (typeof language !== 'string') throw missingParameter('language');
  if (!/^[a-z]{2,3}(_[A-Z]{2})?$/.test(language)) {
    throw new GraphError(100, {
      message: `(#100) Param language must be one of the supported languages - got "${language}".`,
    });
  }
  if (typeof category !== 'string' || !categories.includes(category.toUpperCase())) {
    throw new GraphError(100, { message: `(#100) Param category must be one of {${categories.join(', ')}}.` });
  }
  const named = String(parameter_format ?? '').toLowerCase() === 'named';
  const authentication = category.toUpperCase() === 'AUTHENTICATION';
  return {
    name,
    language,
    category,
    components: checkComponents(components, named, authentication),
    ...(parameter_format !== undefined && { parameter_format: String(parameter_format) }),
  };
}

export function checkComponents(given: unknown, named: boolean, authentication: boolean): GraphComponent[] {
  if (!Array.isArray(given)) throw missingParameter('components');
  if (!given.every(isComponent)) throw new GraphError(100, { message: '(#100) Param components is not valid.' });
  const components = given as GraphComponent[];
  const find = (type: string) => components.find((part) => String(part.type).toUpperCase() === type);
  const body = find('BODY');
  if (body === undefined) throw refuseTemplate('body', 'A template needs a component of type BODY.');
  const buttons = find('BUTTONS');
  if (authentication)
    return components.map((part) => (part === body ? authenticationBody(part) : authenticationPart(part)));
  checkHeader(find('HEADER'), named);
  checkBody(body, named);
  checkFooter(find('FOOTER'));
  if (buttons !== undefined) checkButtons(buttons.buttons);
  return components;
}

const types = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'];
const isText = (value: unknown) => value === undefined || typeof value === 'string';

/** Checks the shape only. */
function isComponent(part: unknown): boolean {
  if (!isRecord(part) || typeof part.type !== 'string' || !types.includes(part.type.toUpperCase())) return false;
  const { text, format, example, buttons = [] } = part;
  if (!isText(text) || !isText(format) || (example !== undefined && !isRecord(example))) return false;
  return Array.isArray(buttons) && buttons.every(isButton);
}

function isButton(button: unknown): boolean {
  if (!isRecord(button) || typeof button.type !== 'string') return false;
  return isText(button.text) && isText(button.url) && isText(button.phone_number);
}

function checkHeader(header: GraphComponent | undefined, named: boolean): void {
  if (header === undefined) return;
  const format = String(header.format ?? '').toUpperCase();
  if (format === 'LOCATION') return;
  if (['IMAGE', 'VIDEO', 'DOCUMENT'].includes(format)) {
    const handle = header.example?.header_handle;
    if (!Array.isArray(handle) || handle.length === 0) throw refuseTemplate('example', 'HEADER');
    return;
  }
  if (format !== 'TEXT') throw refuseTemplate('header', 'The format of the header is not supported.');
  const text = String(header.text ?? '');
  if (text === '' || /[\n*_~]|\p{Extended_Pictographic}/u.test(text)) {
    throw refuseTemplate('header', 'The header must be a text without line breaks, markdown or emoji.');
  }
  if (text.length > 60) throw refuseTemplate('length', 'HEADER');
  if (checkVariables(header, 'HEADER', named) > 1) throw refuseTemplate('header', 'The header can hold one variable.');
}

function checkBody(body: GraphComponent, named: boolean): void {
  const text = String(body.text ?? '');
  if (text.trim() === '') throw refuseTemplate('body', 'The body must have a text.');
  if (text.length > 1024) throw refuseTemplate('length', 'BODY');
  if (/\n{3}/.test(text)) throw refuseTemplate('body', 'The body cannot have more than two consecutive line breaks.');
  if ((text.match(/\p{Extended_Pictographic}/gu) ?? []).length > 10) {
    throw refuseTemplate('body', 'The body cannot have more than ten emoji.');
  }
  checkVariables(body, 'BODY', named);
}

function checkFooter(footer: GraphComponent | undefined): void {
  if (footer === undefined) return;
  const text = String(footer.text ?? '');
  if (text === '' || text.includes('{{'))
    throw refuseTemplate('footer', 'The footer must be a text without variables.');
  if (text.length > 60) throw refuseTemplate('length', 'FOOTER');
}

/** The platform writes the text of an authentication template (section 5.1); it lists an ordinary body. */
function authenticationBody(body: GraphComponent): GraphComponent {
  const advice = body.add_security_recommendation ? ' For your security, do not share this code.' : '';
  return { type: 'BODY', text: `*{{1}}* is your verification code.${advice}`, example: { body_text: [['123456']] } };
}

function authenticationPart(part: GraphComponent): GraphComponent {
  const type = String(part.type).toUpperCase();
  if (type === 'FOOTER') return { type, text: `This code expires in ${part.code_expiration_minutes ?? 10} minutes.` };
  if (type !== 'BUTTONS') return part;
  const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}';
  return {
    type,
    buttons: (part.buttons ?? []).map((button) => ({ type: 'URL', text: button.text ?? 'Copy code', url })),
  };
}
