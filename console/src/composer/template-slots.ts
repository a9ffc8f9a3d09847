import type { Template, TemplateButton, TemplateComponent } from '@majlis/contract';

/** A value that a template takes with each send. */
export interface Slot {
  part: 'header' | 'body' | 'button';
  /** From 1, within its text. */
  number: number;
  /** The text of the button. */
  button?: string;
  /** What stands before the value. */
  before: string;
  example?: string;
}

/** The values that a contact has. */
export interface ContactValues {
  name: string;
  phone: string;
  email: string;
}

const variable = /\{\{(\d+)\}\}/g;

export function partOf({ components }: Pick<Template, 'components'>, type: string): TemplateComponent | undefined {
  return components.find((component) => component.type?.toLowerCase() === type);
}

/** The format of a header that takes a file with each send. */
export function fileFormatOf(template: Pick<Template, 'components'>): string | undefined {
  const format = partOf(template, 'header')?.format?.toLowerCase() ?? 'text';
  return format === 'text' ? undefined : format;
}

/** The values in the order of `params`: header, body, buttons. A one-time code stands in the body and in the button, and is given once. */
export function slotsOf(template: Pick<Template, 'components'> & Partial<Pick<Template, 'category'>>): Slot[] {
  const header = partOf(template, 'header');
  const ofHeader = header && fileFormatOf(template) === undefined ? slotsIn(header, 'header') : [];
  const body = partOf(template, 'body');
  const slots = [...ofHeader, ...(body ? slotsIn(body, 'body') : []), ...buttonsOf(template).flatMap(slotOfButton)];
  return template.category === 'authentication' ? slots.slice(0, 1) : slots;
}

export function buttonsOf(template: Pick<Template, 'components'>): readonly TemplateButton[] {
  return partOf(template, 'buttons')?.buttons ?? [];
}

function slotsIn({ text = '', examples = [] }: TemplateComponent, part: 'header' | 'body'): Slot[] {
  const found = [...text.matchAll(variable)];
  const count = found.reduce((most, [, number]) => Math.max(most, Number(number)), 0);
  return Array.from({ length: count }, (_, index) => {
    const place = found.find(([, number]) => Number(number) === index + 1);
    const example = examples[index];
    return {
      part,
      number: index + 1,
      before: place ? text.slice(0, place.index) : '',
      ...(example !== undefined && { example }),
    };
  });
}

function slotOfButton({ type, text = '', url }: TemplateButton, index: number): Slot[] {
  const takes = type?.toLowerCase() === 'copy_code' || (url !== undefined && /\{\{\d+\}\}/.test(url));
  return takes ? [{ part: 'button', number: index + 1, button: text, before: '' }] : [];
}

/** Replaces in one pass, so a value that looks like a variable stays. A missing value shows its place. */
export function fillSlots(text: string, values: readonly string[]): string {
  return text.replace(variable, (whole, number: string) => values[Number(number) - 1] || whole);
}

const greeting =
  /(?:hello|hi|dear|hey|welcome|thank you|thanks|مرحب[اًا]*|أهل[اًا]*|اهلا|السلام عليكم|عزيزي|عزيزتي|العميل|السيد|السيدة|شكر[اًا]*)[\s,،:]*$/iu;
const phone = /(?:phone|mobile|number|call|هاتف|جوال|رقم|موبايل)[^.\n{]{0,24}$/iu;
const email = /(?:e-?mail|البريد)[^.\n{]{0,24}$/iu;

/** What the contact most likely has for a value, by the words before it. Empty where it is the person's to say. */
export function suggestValue({ part, before }: Slot, contact: ContactValues): string {
  if (part === 'button') return '';
  if (greeting.test(before)) return contact.name;
  if (email.test(before)) return contact.email;
  return phone.test(before) && !/(?:order|invoice|طلب|فاتورة)[^.\n]{0,24}$/iu.test(before) ? contact.phone : '';
}
