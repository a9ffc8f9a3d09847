import type { Template, TemplateButton, TemplateCategory, TemplateComponent, TemplateCreate } from '@majlis/contract';
import { fileFormatOf, partOf } from '../composer/template-slots.ts';

export const headerKinds = ['none', 'text', 'image', 'video', 'document'] as const;
export type HeaderKind = (typeof headerKinds)[number];
export const buttonTypes = ['quick_reply', 'url', 'phone_number', 'copy_code'] as const;
export type ButtonType = (typeof buttonTypes)[number];

export interface DraftButton {
  /** Of the row on the page. */
  key: number;
  type: ButtonType;
  text: string;
  url: string;
  phone_number: string;
  example: string;
}

/** A template as a person writes it. */
export interface TemplateDraft {
  name: string;
  language: string;
  category: TemplateCategory;
  header: HeaderKind;
  header_text: string;
  header_example: string;
  /** The sample of a header that is a file. */
  media_id: string | undefined;
  body: string;
  /** By the number of the variable, from 1. */
  examples: Readonly<Record<number, string>>;
  footer: string;
  buttons: readonly DraftButton[];
}

export const emptyDraft: TemplateDraft = {
  name: '',
  language: 'ar',
  category: 'utility',
  header: 'none',
  header_text: '',
  header_example: '',
  media_id: undefined,
  body: '',
  examples: {},
  footer: '',
  buttons: [],
};

const variable = /\{\{(\d+)\}\}/g;

/** The numbers of the variables in a text, each once, from the least. */
export function numbersIn(text: string): number[] {
  const numbers = [...text.matchAll(variable)].map(([, number]) => Number(number));
  return [...new Set(numbers)].sort((a, b) => a - b);
}

export function takesExample({ type, url }: DraftButton): boolean {
  return type === 'copy_code' || (type === 'url' && numbersIn(url).length > 0);
}

/** The body of the request. */
export function composeDraft(draft: TemplateDraft): TemplateCreate {
  const { name, language, category } = draft;
  // The platform writes the text of a one-time code, and its button.
  const components = category === 'authentication' ? [{ type: 'body' as const }] : componentsOf(draft);
  return { name: name.trim(), language, category, components };
}

export function componentsOf(draft: TemplateDraft): TemplateComponent[] {
  const { header, header_text, header_example, media_id, body, examples, footer, buttons } = draft;
  const numbers = numbersIn(body);
  const of = (values: string[]) => (values.length > 0 ? { examples: values } : {});
  const headerExamples = numbersIn(header_text).length > 0 ? [header_example] : [];
  const components: TemplateComponent[] = [];
  if (header === 'text') components.push({ type: 'header', format: 'text', text: header_text, ...of(headerExamples) });
  else if (header !== 'none') components.push({ type: 'header', format: header, ...of(media_id ? [media_id] : []) });
  components.push({ type: 'body', text: body, ...of(numbers.map((number) => examples[number] ?? '')) });
  if (footer.trim() !== '') components.push({ type: 'footer', text: footer });
  if (buttons.length > 0) {
    const values = buttons.filter(takesExample).map(({ example }) => example);
    components.push({ type: 'buttons', buttons: buttons.map(composeButton), ...of(values) });
  }
  return components;
}

function composeButton({ type, text, url, phone_number }: DraftButton): TemplateButton {
  if (type === 'copy_code') return { type };
  return { type, text, ...(type === 'url' && { url }), ...(type === 'phone_number' && { phone_number }) };
}

/** What the editor begins with, where another template is the start. */
export function draftOf(template: Template): TemplateDraft {
  const header = partOf(template, 'header');
  const body = partOf(template, 'body');
  const buttons = partOf(template, 'buttons');
  const values = [...(buttons?.examples ?? [])];
  return {
    ...emptyDraft,
    name: `${template.name}_2`,
    language: template.language,
    category: template.category,
    header: header ? ((fileFormatOf(template) ?? 'text') as HeaderKind) : 'none',
    header_text: header?.text ?? '',
    header_example: header?.text === undefined ? '' : (header.examples?.[0] ?? ''),
    body: body?.text ?? '',
    examples: Object.fromEntries((body?.examples ?? []).map((example, index) => [index + 1, example])),
    footer: partOf(template, 'footer')?.text ?? '',
    buttons: (buttons?.buttons ?? []).map(({ type = 'quick_reply', text = '', url = '', phone_number = '' }, key) => {
      const button = { key, type: type.toLowerCase() as ButtonType, text, url, phone_number, example: '' };
      return takesExample(button) ? { ...button, example: values.shift() ?? '' } : button;
    }),
  };
}
