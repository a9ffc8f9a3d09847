import type { JsonObject } from '../json-object.ts';
import { isObject, readArray, readId, readMember, readText, readWord } from '../read-json.ts';
import type { PlatformTemplate, PlatformTemplateComponent } from '../template.ts';
import { readCategory } from './read-category.ts';
import { readLanguage, readRejectionReason, readTemplateStatus } from './template-status.ts';

/** Reads one template of the platform's list (section 5.3). */
export function readPlatformTemplate(value: unknown): PlatformTemplate | undefined {
  const platform_template_id = readId(readMember(value, 'id'));
  const name = readText(readMember(value, 'name'));
  const language = readLanguage(readMember(value, 'language'));
  if (platform_template_id === undefined || name === undefined || language === undefined) return undefined;

  const quality = readText(readMember(readMember(value, 'quality_score'), 'score'));
  const format = readWord(readMember(value, 'parameter_format'));
  const rejection_reason = readRejectionReason(readMember(value, 'rejected_reason'));
  return {
    platform_template_id,
    name,
    language,
    category: readCategory(readMember(value, 'category')) ?? '',
    status: readTemplateStatus(readMember(value, 'status')),
    components: readArray(readMember(value, 'components')).filter(isObject).map(readComponent),
    ...(format === 'named' || format === 'positional' ? { parameter_format: format } : {}),
    ...(quality ? { quality } : {}),
    ...(rejection_reason ? { rejection_reason } : {}),
  };
}

function readComponent(value: JsonObject): PlatformTemplateComponent {
  const component: PlatformTemplateComponent = { type: readWord(value.type) ?? '' };
  const format = readWord(value.format);
  if (format) component.format = format;
  const text = readText(value.text);
  if (text) component.text = text;
  const buttons = readArray(value.buttons).filter(isObject);
  const examples = [...readExamples(value.example), ...buttons.flatMap(readButtonExample)];
  if (examples.length > 0) component.examples = examples;
  if (Array.isArray(value.buttons)) component.buttons = buttons.map(readButton);
  return component;
}

/** `body_text` holds sets of values, and the first counts; `header_text` is one set; named parameters carry their names. */
function readExamples(example: unknown): string[] {
  const body = readArray(readMember(example, 'body_text'));
  const sets = [
    Array.isArray(body[0]) ? body[0] : body,
    readArray(readMember(example, 'header_text')),
    readArray(readMember(example, 'body_text_named_params')).map((named) => readMember(named, 'example')),
    readArray(readMember(example, 'header_text_named_params')).map((named) => readMember(named, 'example')),
  ];
  return sets.flat().filter((sample) => typeof sample === 'string');
}

/** The contract's example of an address is the variable's part alone. */
function readButtonExample({ url, example }: JsonObject): string[] {
  const value = readText(Array.isArray(example) ? example[0] : example);
  if (value === undefined) return [];
  const stem = readText(url)?.replace(/\{\{[^{}]*\}\}$/, '') ?? '';
  return [value.startsWith(stem) ? value.slice(stem.length) : value];
}

function readButton(value: JsonObject) {
  const text = readText(value.text);
  const url = readText(value.url);
  const phone_number = readText(value.phone_number);
  return {
    type: readWord(value.type) ?? '',
    ...(text ? { text } : {}),
    ...(url ? { url } : {}),
    ...(phone_number ? { phone_number } : {}),
  };
}
