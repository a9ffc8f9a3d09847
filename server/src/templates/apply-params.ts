import type { TemplateComponent } from '@majlis/contract';
import { closeGaps } from '../platform/send/close-gaps.ts';
import { takesValue } from '../platform/send/compose-template.ts';
import type { ButtonParameter, OutboundTemplate } from '../platform/types.ts';
import { countVariables, fillVariables } from './check/variables.ts';

/** A template with its variables filled in, for the platform and as the customer reads it. */
export interface AppliedTemplate {
  header?: string[];
  body?: string[];
  buttons?: ButtonParameter[];
  /** The format of a header that takes a file with each send. */
  media_header?: string;
  /** The body's text as the customer reads it. */
  text: string | undefined;
}

/**
 * Assigns `params` in component order: header, body, buttons (an open point of the contract). Answers the needed count where
 * the number of values differs.
 */
export function applyParams(
  components: readonly TemplateComponent[],
  params: readonly string[],
): { ok: true; applied: AppliedTemplate } | { ok: false; needed: number } {
  const header = findComponent(components, 'header');
  const body = findComponent(components, 'body');
  const buttons = (findComponent(components, 'buttons')?.buttons ?? []).flatMap((button, index) =>
    takesValue(button.type, button.url) ? [{ index, isCode: button.type?.toLowerCase() === 'copy_code' }] : [],
  );
  const ofHeader = isTextHeader(header) ? countVariables(header?.text) : 0;
  const ofBody = countVariables(body?.text);
  const needed = ofHeader + ofBody + buttons.length;
  if (params.length !== needed) return { ok: false, needed };

  const bodyParams = params.slice(ofHeader, ofHeader + ofBody);
  const media = mediaHeader(components);
  return {
    ok: true,
    applied: {
      ...(media && { media_header: media }),
      ...(ofHeader > 0 && { header: params.slice(0, ofHeader) }),
      ...(ofBody > 0 && { body: bodyParams }),
      ...(buttons.length > 0 && {
        buttons: buttons.map(({ index, isCode }, place) => {
          const value = params[ofHeader + ofBody + place]!;
          return isCode ? { index, type: 'copy_code', code: value } : { index, type: 'url', text: value };
        }),
      }),
      text: body?.text === undefined ? undefined : fillVariables(body.text, bodyParams.map(closeGaps)),
    },
  };
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
    ...(applied.header && { header: { type: 'text', text: applied.header[0]! } }),
    ...(applied.body && { body: applied.body }),
    ...(applied.buttons && { buttons: applied.buttons }),
  };
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
