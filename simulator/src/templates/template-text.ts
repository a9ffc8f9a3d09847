import type { Dict } from '../world/message.ts';
import { componentOf, type GraphTemplate } from './graph-template.ts';

export type TemplateText = {
  header?: { format: string; text?: string; media?: Dict };
  body: string;
  footer?: string;
  buttons: { type: string; text: string; value?: string }[];
};

/** The template with the parameters of one send, as the customer reads it. */
export function templateText(template: GraphTemplate, content: Dict): TemplateText {
  const sent = Array.isArray(content.components) ? content.components.filter((one): one is Dict => one !== null) : [];
  const header = componentOf(template, 'HEADER');
  const body = componentOf(template, 'BODY');
  const footer = componentOf(template, 'FOOTER');
  return {
    ...(header && { header: headerOf(header.format ?? 'TEXT', header.text, parametersOf(sent, 'header')) }),
    body: fill(body?.text ?? '', parametersOf(sent, 'body')),
    ...(footer && { footer: footer.text ?? '' }),
    buttons: (componentOf(template, 'BUTTONS')?.buttons ?? []).map((button, index) => {
      const parameters = sent.filter((part) => part.type === 'button' && Number(part.index) === index);
      const value = buttonValue(button, parametersOf(parameters, 'button'));
      return { type: button.type, text: button.text ?? '', ...(value !== undefined && { value }) };
    }),
  };
}

function headerOf(format: string, text: string | undefined, parameters: Dict[]): NonNullable<TemplateText['header']> {
  if (format === 'TEXT') return { format, text: fill(text ?? '', parameters) };
  const [parameter] = parameters;
  return { format, ...(parameter && { media: (parameter[format.toLowerCase()] ?? {}) as Dict }) };
}

function buttonValue(button: { type: string; text?: string; url?: string; phone_number?: string }, parameters: Dict[]) {
  const [parameter] = parameters;
  if (button.type === 'QUICK_REPLY') return String(parameter?.payload ?? button.text ?? '');
  if (button.type === 'URL') return fill(button.url ?? '', parameters);
  if (button.type === 'PHONE_NUMBER') return button.phone_number;
  if (button.type === 'COPY_CODE' || button.type === 'OTP')
    return String(parameter?.coupon_code ?? parameter?.text ?? '');
  return undefined;
}

function parametersOf(sent: Dict[], type: string): Dict[] {
  const part = sent.find((one) => String(one?.type).toLowerCase() === type);
  return Array.isArray(part?.parameters) ? (part.parameters as Dict[]) : [];
}

function fill(text: string, parameters: Dict[]): string {
  const named = new Map(parameters.map((one) => [one.parameter_name, one]));
  return text.replace(/\{\{([^{}]*)\}\}/g, (whole, name: string) => {
    const parameter = named.get(name.trim()) ?? parameters[Number(name) - 1];
    return parameter === undefined ? whole : textOf(parameter);
  });
}

function textOf(parameter: Dict): string {
  const rich = (parameter.currency ?? parameter.date_time) as Dict | undefined;
  return String(parameter.text ?? rich?.fallback_value ?? '');
}
