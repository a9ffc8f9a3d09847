import type { Template, TemplateButton, TemplateComponent } from '@majlis/contract';

/** A value that a template takes with each send. */
export interface Slot {
  part: 'header' | 'body' | 'button';
  /** From 1, within its text. */
  number: number;
  /** The word of a named variable. Each place that has the word takes this value. */
  name?: string;
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

// The platform numbers the variables of a template, or names them.
const variable = /\{\{\s*(\w+)\s*\}\}/g;
const isWord = (name: string) => !/^\d+$/.test(name);

/**
 * Whether the platform names the variables of a template, by their words. It numbers those of a text from 1 without a gap, so other
 * digits are names too.
 */
function hasNames({ components }: Pick<Template, 'components'>): boolean {
  return components.some(({ text = '' }) => {
    const names = [...new Set([...text.matchAll(variable)].map(([, name = '']) => name))];
    return names.some((name) => isWord(name) || Number(name) > names.length || Number(name) < 1);
  });
}

export function partOf({ components }: Pick<Template, 'components'>, type: string): TemplateComponent | undefined {
  return components.find((component) => component.type?.toLowerCase() === type);
}

/** The format of a header that takes a file with each send. */
export function fileFormatOf(template: Pick<Template, 'components'>): string | undefined {
  const format = partOf(template, 'header')?.format?.toLowerCase() ?? 'text';
  return format === 'text' ? undefined : format;
}

/**
 * The values in the order of `params`: header, body, buttons. A name is given once, wherever it stands. A one-time code stands in the
 * body and in the button, and is given once too.
 */
export function slotsOf(template: Pick<Template, 'components'> & Partial<Pick<Template, 'category'>>): Slot[] {
  const header = partOf(template, 'header');
  const isNamed = hasNames(template) ? () => true : isWord;
  const ofHeader = header && fileFormatOf(template) === undefined ? slotsIn(header, 'header', isNamed) : [];
  const body = partOf(template, 'body');
  const ofBody = body ? slotsIn(body, 'body', isNamed) : [];
  const all = [...ofHeader, ...ofBody, ...buttonsOf(template).flatMap(slotOfButton)];
  const slots = all.filter(({ name }, index) => !name || all.findIndex((one) => one.name === name) === index);
  return template.category === 'authentication' ? slots.slice(0, 1) : slots;
}

export function buttonsOf(template: Pick<Template, 'components'>): readonly TemplateButton[] {
  return partOf(template, 'buttons')?.buttons ?? [];
}

function slotsIn(
  { text = '', examples = [] }: TemplateComponent,
  part: 'header' | 'body',
  isNamed: (name: string) => boolean,
): Slot[] {
  const found = [...text.matchAll(variable)].map(({ 1: name = '', index }) => ({ name, before: text.slice(0, index) }));
  // The service refuses to send one whose numbers have gaps.
  const numbered = new Set(found.map(({ name }) => name).filter((name) => !isNamed(name)));
  const numbers = Array.from(numbered, (_, index) => String(index + 1));
  const names = [...new Set([...numbers, ...found.map(({ name }) => name).filter(isNamed)])];
  return names.map((name, index) => {
    const example = examples[index];
    return {
      part,
      number: index + 1,
      ...(isNamed(name) && { name }),
      before: found.find((one) => one.name === name)?.before ?? '',
      ...(example !== undefined && { example }),
    };
  });
}

function slotOfButton({ type, text = '', url = '' }: TemplateButton, index: number): Slot[] {
  const [found] = [...url.matchAll(variable)];
  if (type?.toLowerCase() !== 'copy_code' && !found) return [];
  const name = found?.[1] ?? '';
  return [{ part: 'button', number: index + 1, ...(name && isWord(name) && { name }), button: text, before: '' }];
}

/** A value for each slot. */
interface Filling {
  slots: readonly Slot[];
  values: readonly string[];
}

/** Fills a text of a template in one pass, so a value that looks like a variable stays. A missing value shows its place. */
export function fillSlots(text: string, part: Slot['part'], { slots, values }: Filling): string {
  return text.replace(variable, (whole, name: string) => {
    const index = slots.findIndex((slot) =>
      slot.name === undefined ? slot.part === part && slot.number === Number(name) : slot.name === name,
    );
    return values[index] || whole;
  });
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
