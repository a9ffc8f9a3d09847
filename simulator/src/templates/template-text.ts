import type { Json } from '../world/message.ts';
import { component, type Template } from './template.ts';

export type TemplateText = {
  header?: { format: string; text?: string; media?: Json };
  body: string;
  footer?: string;
  buttons: { type: string; text: string; value?: string }[];
};

/** The template as the customer reads it, with the parameters of one send put in. */
export function templateText(template: Template, content: Json): TemplateText {
  const sent = Array.isArray(content.components)
    ? (content.components as (Json | null)[]).filter((one) => one !== null)
    : [];
  const header = component(template, 'HEADER');
  const body = component(template, 'BODY');
  const footer = component(template, 'FOOTER');
  return {
    ...(header && { header: headerOf(header.format ?? 'TEXT', header.text, parametersOf(sent, 'header')) }),
    body: fill(body?.text ?? '', parametersOf(sent, 'body')),
    ...(footer && { footer: footer.text ?? '' }),
    buttons: (component(template, 'BUTTONS')?.buttons ?? []).map((button, index) => {
      const parameters = sent.filter((part) => part.type === 'button' && Number(part.index) === index);
      const value = buttonValue(button, parametersOf(parameters, 'button'));
      return { type: button.type, text: button.text ?? '', ...(value !== undefined && { value }) };
    }),
  };
}

function headerOf(format: string, text: string | undefined, parameters: Json[]): NonNullable<TemplateText['header']> {
  if (format === 'TEXT') return { format, text: fill(text ?? '', parameters) };
  const [parameter] = parameters;
  return { format, ...(parameter && { media: (parameter[format.toLowerCase()] ?? {}) as Json }) };
}

function buttonValue(button: { type: string; text?: string; url?: string; phone_number?: string }, parameters: Json[]) {
  const [parameter] = parameters;
  if (button.type === 'QUICK_REPLY') return String(parameter?.payload ?? button.text ?? '');
  if (button.type === 'URL') return fill(button.url ?? '', parameters);
  if (button.type === 'PHONE_NUMBER') return button.phone_number;
  if (button.type === 'COPY_CODE' || button.type === 'OTP')
    return String(parameter?.coupon_code ?? parameter?.text ?? '');
  return undefined;
}

function parametersOf(sent: Json[], type: string): Json[] {
  const part = sent.find((one) => String(one?.type).toLowerCase() === type);
  return Array.isArray(part?.parameters) ? (part.parameters as Json[]) : [];
}

function fill(text: string, parameters: Json[]): string {
  const named = new Map(parameters.map((one) => [one.parameter_name, one]));
  return text.replace(/\{\{([^{}]*)\}\}/g, (whole, name: string) => {
    const parameter = named.get(name.trim()) ?? parameters[Number(name) - 1];
    return parameter === undefined ? whole : textOf(parameter);
  });
}

function textOf(parameter: Json): string {
  const rich = (parameter.currency ?? parameter.date_time) as Json | undefined;
  return String(parameter.text ?? rich?.fallback_value ?? '');
}
