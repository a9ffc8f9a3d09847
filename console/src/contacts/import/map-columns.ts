import type { ContactUpsert, CustomField, Stage } from '@majlis/contract';

/** What a column holds: a member of the contact, a custom field, or nothing that is imported. */
export const targets = ['none', 'phone', 'name', 'email', 'language', 'tags', 'vip', 'marketing', 'stage'] as const;
export type Target = (typeof targets)[number] | `field:${string}`;

/** The words of first rows by which columns are recognised, in English and Arabic. */
const hints: readonly [Target, RegExp][] = [
  ['phone', /phone|mobile|number|whats|tel|هاتف|جوال|رقم|موبايل/i],
  ['email', /e-?mail|بريد/i],
  ['marketing', /consent|opt|marketing|موافق|تسويق/i],
  ['tags', /tag|label|group|وسم|وسوم|تصنيف|مجموعة/i],
  ['language', /lang|لغة|اللغة/i],
  ['vip', /vip|مهم|مميز/i],
  ['stage', /stage|status|مرحلة|المرحلة/i],
  ['name', /name|customer|اسم|العميل/i],
];

/** Each target for one column at most. */
export function guessTargets(header: readonly string[], fields: readonly CustomField[]): Target[] {
  const taken = new Set<Target>();
  return header.map((title) => {
    const field = fields.find(({ key, label }) => same(key, title) || (label !== undefined && same(label, title)));
    const guess = field ? (`field:${field.key}` as const) : hints.find(([, words]) => words.test(title))?.[0];
    if (!guess || taken.has(guess)) return 'none';
    taken.add(guess);
    return guess;
  });
}

const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

/** Faults that the page finds before the service is asked. */
export type RowFault = 'no_phone' | 'shortened_number' | 'unclear_answer' | 'unknown_stage' | 'unclear_number';

export interface Vocabulary {
  fields: readonly CustomField[];
  stages: readonly Stage[];
}

/** A contact of a row, or why there is none. Empty cells say nothing, so they change nothing. */
export function toContact(
  row: readonly string[],
  columns: readonly Target[],
  { fields, stages }: Vocabulary,
): { contact: ContactUpsert } | { fault: RowFault } {
  const contact: ContactUpsert = { identities: [] };
  const custom_fields: Record<string, unknown> = {};
  for (const [index, target] of columns.entries()) {
    const text = cleanCell(row[index] ?? '');
    if (text === '' || target === 'none') continue;
    switch (target) {
      case 'phone': {
        // Spreadsheets show long numbers as 9.68912E+11, and the last digits are lost.
        if (/^\d+([.,]\d+)?e\+?\d+$/i.test(text)) return { fault: 'shortened_number' };
        contact.identities.push({ channel_type: 'chatapp', identifier: toLatinDigits(text) });
        break;
      }
      case 'name':
      case 'email':
      case 'language':
        contact[target] = text;
        break;
      case 'tags':
        contact.tags = [...new Set(text.split(/[,;|،؛]/).map((tag) => tag.trim()))].filter((tag) => tag !== '');
        break;
      case 'vip': {
        const answer = readAnswer(text);
        if (answer === undefined) return { fault: 'unclear_answer' };
        contact.vip = answer;
        break;
      }
      case 'marketing': {
        const answer = readAnswer(text);
        if (answer === undefined) return { fault: 'unclear_answer' };
        contact.consents = { chatapp_marketing: answer };
        break;
      }
      case 'stage': {
        const stage = stages.find(({ name }) => same(name, text));
        if (!stage) return { fault: 'unknown_stage' };
        contact.stage_id = stage.id;
        break;
      }
      default: {
        const field = fields.find(({ key }) => `field:${key}` === target);
        if (!field) break;
        const value = readValue(field, text);
        if (value === undefined) return { fault: field.type === 'number' ? 'unclear_number' : 'unclear_answer' };
        custom_fields[field.key] = value;
      }
    }
  }
  if (contact.identities.length === 0) return { fault: 'no_phone' };
  return { contact: { ...contact, ...(Object.keys(custom_fields).length > 0 && { custom_fields }) } };
}

/** Without the marks by which spreadsheets keep a number as text: `'+968…` and `="+968…"`. */
export function cleanCell(text: string): string {
  const trimmed = text.trim();
  const [, quoted] = /^="(.*)"$/s.exec(trimmed) ?? [];
  return (quoted ?? trimmed.replace(/^'(?=[+\d=@-])/, '')).trim();
}

/** Arabic and Persian digits as Latin ones. */
export function toLatinDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0)! - 0x660) % 0x90));
}

const yes = /^(1|y|yes|true|x|✓|✔|نعم|أجل|صح|موافق)$/i;
const no = /^(0|n|no|false|-|لا|خطأ)$/i;

function readAnswer(text: string): boolean | undefined {
  const latin = toLatinDigits(text);
  if (yes.test(latin)) return true;
  return no.test(latin) ? false : undefined;
}

function readValue({ type }: CustomField, text: string): unknown {
  if (type === 'boolean') return readAnswer(text);
  if (type !== 'number') return text;
  const number = Number(toLatinDigits(text).replaceAll('٬', '').replace('٫', '.'));
  return Number.isFinite(number) ? number : undefined;
}
