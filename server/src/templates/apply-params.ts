import type { TemplateButton, TemplateComponent } from '@majlis/contract';
import {
  type ButtonParameter,
  namedText,
  type OutboundTemplate,
  type TextParameter,
} from '../platform/outbound-message.ts';
import { closeGaps } from '../platform/send/close-gaps.ts';
import { takesValue } from '../platform/send/compose-template.ts';
import { fillNames, isWord, variableNames } from './check/variables.ts';

/** What decides the values of a template's sends. */
export interface FillableTemplate {
  components: readonly TemplateComponent[];
  category?: string | null;
  /** How the platform tells its variables apart: `named` or `positional`. Where nobody told it, the variables themselves show it. */
  parameter_format: string | null;
}

/** A template with its variables filled in, for the platform and as the customer reads it. */
export interface AppliedTemplate {
  header?: TextParameter[];
  body?: TextParameter[];
  buttons?: ButtonParameter[];
  /** The format of a header that takes a file with each send. */
  media_header?: string;
  /** The body's text as the customer reads it. */
  text: string | undefined;
}

/** Why values do not fit a template. `blank`: the index of a value that shows nothing. */
export interface ParamsMisfit {
  needed: number;
  blank?: number;
}

/** A value of a send; several places of the template may take it. */
interface Slot {
  key: string;
  /** The word of a named variable. */
  name?: string;
}

/**
 * Assigns `params` in component order: header, body, buttons (an open point of the contract). Named variables are filled in the order
 * of their first appearance, each name once. A one-time code stands in the body and in the button, and is given once; two equal
 * values are the same code. Answers the reason where the values do not fit: their number differs, or the platform would refuse an
 * empty one (section 13, 27).
 */
export function applyParams(
  { components, category, parameter_format }: FillableTemplate,
  params: readonly string[],
): { ok: true; applied: AppliedTemplate } | ({ ok: false } & ParamsMisfit) {
  const header = findComponent(components, 'header');
  const body = findComponent(components, 'body');
  const buttons = findComponent(components, 'buttons')?.buttons ?? [];
  const ofHeader = isTextHeader(header) ? slotsOf('header', header?.text, parameter_format) : [];
  const ofBody = slotsOf('body', body?.text, parameter_format);
  const ofButtons = buttons.flatMap((button, index) => {
    const slot = slotOfButton(button, index);
    return slot ? [{ slot, index, type: button.type?.toLowerCase() }] : [];
  });
  const keys = [...new Set([...ofHeader, ...ofBody, ...ofButtons.map(({ slot }) => slot)].map(({ key }) => key))];
  const given = category === 'authentication' ? repeatCode(params, keys.length) : params;
  if (given === undefined) return { ok: false, needed: 1 };
  if (given.length !== keys.length) return { ok: false, needed: keys.length };
  const blank = params.findIndex((param) => param.trim() === '');
  if (blank >= 0) return { ok: false, needed: keys.length, blank };

  const takenBy = ({ key }: Slot) => given[keys.indexOf(key)]!;
  const toParameter = (slot: Slot): TextParameter =>
    slot.name === undefined ? takenBy(slot) : { text: takenBy(slot), name: slot.name };
  const fill = (text: string | undefined, slots: Slot[]) =>
    text === undefined
      ? undefined
      : fillNames(text, new Map(slots.map((slot, n) => [slot.name ?? String(n + 1), closeGaps(takenBy(slot))])));
  const buttonParameters = [
    ...ofButtons.map(({ slot, index, type }): ButtonParameter => {
      if (type === 'copy_code') return { index, type: 'copy_code', code: takenBy(slot) };
      return { index, type: 'url', ...namedText(toParameter(slot)) };
    }),
    ...buttons.flatMap(({ type }, index): ButtonParameter[] =>
      type?.toLowerCase() === 'flow' ? [{ index, type: 'flow' }] : [],
    ),
  ].sort((a, b) => a.index - b.index);
  const media = mediaHeader(components);
  return {
    ok: true,
    applied: {
      ...(media && { media_header: media }),
      ...(ofHeader.length > 0 && { header: ofHeader.map(toParameter) }),
      ...(ofBody.length > 0 && { body: ofBody.map(toParameter) }),
      ...(buttonParameters.length > 0 && { buttons: buttonParameters }),
      text: fill(body?.text, ofBody),
    },
  };
}

export function describeMisfit({ needed, blank }: ParamsMisfit, params: readonly string[]): string {
  if (blank !== undefined) return `Value ${blank + 1} of the template is empty, and each variable needs a text.`;
  return `The template has ${needed} variables, and ${params.length} values were given.`;
}

/** The values that a text takes: numbered ones from 1, named ones in the order of their appearance. */
function slotsOf(place: string, text: string | undefined, parameter_format: string | null): Slot[] {
  const names = variableNames(text);
  const isNamed = (name: string) => parameter_format === 'named' || isWord(name);
  const named = names.filter(isNamed).map((name) => ({ key: `name ${name}`, name }));
  const numbered = names.filter((name) => !isNamed(name)).map((_, n) => ({ key: `${place} ${n + 1}` }));
  return [...numbered, ...named];
}

function slotOfButton({ type, url }: TemplateButton, index: number): Slot | undefined {
  // The platform lists the button of a one-time code as an address, or by the type that it was created with.
  if (!takesValue(type, url) && type?.toLowerCase() !== 'otp') return undefined;
  const name = variableNames(url).find(isWord);
  return name === undefined ? { key: `button ${index}` } : { key: `name ${name}`, name };
}

/** Undefined where different codes were given: the customer would read one and copy another. */
function repeatCode(params: readonly string[], places: number): readonly string[] | undefined {
  if (params.length === 1 && places > 1) return Array<string>(places).fill(params[0]!);
  return params.length === places && new Set(params).size > 1 ? undefined : params;
}

/** Converts an applied template for the platform client. */
export function toOutbound(name: string, language: string, applied: AppliedTemplate): OutboundTemplate {
  return {
    kind: 'template',
    name,
    language,
    ...(applied.media_header && {
      media_header: applied.media_header as NonNullable<OutboundTemplate['media_header']>,
    }),
    ...(applied.header && { header: { type: 'text', ...namedText(applied.header[0]!) } }),
    ...(applied.body && { body: applied.body }),
    ...(applied.buttons && { buttons: applied.buttons }),
  };
}

const sendableComponents = new Set(['header', 'body', 'footer', 'buttons', 'call_permission_request']);
const sendableHeaders = new Set(['text', 'image', 'video', 'document']);
// Each needs values with every send that the contract has no member for.
const unsendableButtons = new Set(['mpm', 'spm', 'order_details']);

/**
 * Why no send of this service can fill the template; undefined for one that can be sent. The platform judges button types that are not
 * listed.
 */
export function findUnsendable({ components, parameter_format }: FillableTemplate): string | undefined {
  const part = components.find(({ type }) => !sendableComponents.has(type?.toLowerCase() ?? ''));
  if (part) return `The template has a part of type ${part.type || 'unknown'}, which the API has no values for.`;
  const format = findComponent(components, 'header')?.format?.toLowerCase() ?? 'text';
  if (!sendableHeaders.has(format)) return `The template's header is a ${format}, which the API has no values for.`;
  const misnumbered = findMixedFormats(components, parameter_format) ?? findMisnumbered(components, parameter_format);
  if (misnumbered) return misnumbered;
  const buttons = components.flatMap((component) => component.buttons ?? []);
  const button = buttons.find(({ type }) => unsendableButtons.has(type?.toLowerCase() ?? ''));
  return button && `The template has a button of type ${button.type}, which the API has no values for.`;
}

/** The addresses of buttons are left out: a template with named variables numbers theirs. */
function findMixedFormats(
  components: readonly TemplateComponent[],
  parameter_format: string | null,
): string | undefined {
  const names = components.flatMap(({ text }) => variableNames(text));
  const word = names.find(isWord);
  if (parameter_format === 'named' || word === undefined) return undefined;
  if (!names.every(isWord)) {
    return 'The template has numbered and named variables, and the channel platform takes values of one format.';
  }
  if (parameter_format === null) return undefined;
  return `The template has the named variable {{${word}}}, and the channel platform numbers the variables of this template.`;
}

/** Numbered variables go from 1 without a gap in each text. Otherwise no list of values fits, however long. */
function findMisnumbered(
  components: readonly TemplateComponent[],
  parameter_format: string | null,
): string | undefined {
  if (parameter_format === 'named') return undefined;
  const numbered = components.map(({ text }) => variableNames(text).filter((name) => !isWord(name)));
  const name = numbered.flatMap((names) => names.filter((one) => !isPlace(one, names.length)))[0];
  return (
    name &&
    `The template has the variable {{${name}}}, and the channel platform numbers variables from 1 without a gap.`
  );
}

/** Whether a name is the number of one of `count` places. */
function isPlace(name: string, count: number): boolean {
  return String(Number(name)) === name && Number(name) >= 1 && Number(name) <= count;
}

/** The format of a header that needs a file with each send. */
export function mediaHeader(components: readonly TemplateComponent[]): string | undefined {
  const header = findComponent(components, 'header');
  return header && !isTextHeader(header) ? header.format?.toLowerCase() : undefined;
}

function findComponent(components: readonly TemplateComponent[], type: string): TemplateComponent | undefined {
  return components.find((component) => component.type?.toLowerCase() === type);
}

function isTextHeader(header: TemplateComponent | undefined): boolean {
  return (header?.format ?? 'text').toLowerCase() === 'text';
}
