import type { ConversationMessageSend, ErrorDetail } from '@majlis/contract';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import type { MediaRow } from '../../media/queries.ts';
import { accepts, fitsHeader } from '../../media/rules.ts';
import type { OutboundContent } from '../../platform/outbound-message.ts';
import { applyParams, describeMisfit, mediaHeader, toOutbound } from '../../templates/apply-params.ts';
import { findPlatformFaults } from './find-platform-faults.ts';
import type { SendTarget } from './find-targets.ts';
import { refuseTemplate } from './refuse-template.ts';

/** The content of a message as it is stored. */
export interface ComposedContent {
  /** The text that a person reads. */
  body: string | null;
  /** The content for the platform, unless it is `body` alone. */
  content: OutboundContent | null;
  /** The file of the message, or of its template's header. */
  media?: MediaRow;
}

/** Refuses what the platform is known to refuse, and a send without the members of its kind, optional in the schema. */
export function refuseContent(send: ConversationMessageSend): Refusal | undefined {
  const { value: fault } = findContentFaults(send).next();
  return fault && invalid(fault);
}

/** The reasons to refuse a send, before the rows that it names are known. Each has its place in the send. */
export function* findContentFaults(send: ConversationMessageSend): Generator<ErrorDetail, undefined> {
  const fault = findMemberFault(send);
  if (fault) yield fault;
  yield* findPlatformFaults(send);
  return undefined;
}

function findMemberFault(send: ConversationMessageSend): ErrorDetail | undefined {
  const { kind, body, template, interactive, location, reply_to_id, media_id } = send;
  switch (kind) {
    case 'text':
      return body ? undefined : missing('body');
    case 'image':
    case 'video':
    case 'file':
      return media_id === undefined ? missing('media_id') : undefined;
    case 'voice':
      return media_id === undefined ? missing('media_id') : findUnseenBody(send);
    case 'template':
      if (!template) return missing('template');
      if (template.name === undefined) return missing('template/name');
      return template.language === undefined ? missing('template/language') : findUnseenBody(send);
    case 'location':
      if (!location) return missing('location');
      if (location.latitude === undefined) return missing('location/latitude');
      return location.longitude === undefined ? missing('location/longitude') : findUnseenBody(send);
    case 'interactive':
      if (!interactive) return missing('interactive');
      if (interactive.type === undefined) return missing('interactive/type');
      if (interactive.type === 'request_contact_info') return undefined;
      return interactive.buttons === undefined ? missing('interactive/buttons') : undefined;
    case 'reaction':
      if (body === undefined) return missing('body');
      return reply_to_id === undefined ? missing('reply_to_id') : undefined;
  }
}

/** The platform takes no text with this kind, so a body would be lost silently. */
function findUnseenBody({ kind, body }: ConversationMessageSend): ErrorDetail | undefined {
  return body ? { detail: `is shown to nobody with kind ${kind}`, pointer: '/body' } : undefined;
}

/** The id of the file of a send: the one of the template's header, where there is one. */
export function mediaNamedIn({ kind, template, media_id }: ConversationMessageSend): string | undefined {
  return (kind === 'template' ? template?.header_media_id : undefined) ?? media_id;
}

/**
 * The content of a send that `refuseContent` accepted, or the refusal for its template or media. `identifier` is the recipient that
 * the send names itself.
 */
export function composeContent(
  send: ConversationMessageSend,
  target: SendTarget,
  identifier?: string,
): ComposedContent | Refusal {
  const composed = composeKind(send, target, identifier);
  if (composed instanceof Refusal) return composed;
  return send.media_id !== undefined && !target.media ? new Refusal('media_not_found') : composed;
}

function composeKind(
  send: ConversationMessageSend,
  target: SendTarget,
  identifier: string | undefined,
): ComposedContent | Refusal {
  const { kind, body, interactive, location } = send;
  switch (kind) {
    case 'template':
      return composeTemplate(send, target, identifier);
    case 'image':
    case 'video':
    case 'file':
    case 'voice':
      return composeMedia(send, target.media);
    case 'location': {
      const { latitude, longitude, name, address } = location!;
      const place = [name, address, `${latitude},${longitude}`].filter(Boolean).join('\n');
      const named = { ...(name !== undefined && { name }), ...(address !== undefined && { address }) };
      return { body: place, content: { kind, latitude: latitude!, longitude: longitude!, ...named } };
    }
    case 'interactive': {
      const content = { kind, interactive: { ...interactive!, type: interactive!.type! } };
      return { body: body ?? null, content: { ...content, ...(body !== undefined && { body }) } };
    }
    default:
      return { body: body ?? null, content: null };
  }
}

function composeMedia({ kind, body }: ConversationMessageSend, media: MediaRow | null): ComposedContent | Refusal {
  if (!media) return new Refusal('media_not_found');
  if (!accepts(kind, media.mime)) {
    return invalid({ detail: `is of type ${media.mime}, which kind ${kind} does not take`, pointer: '/media_id' });
  }
  return { body: body || null, content: null, media };
}

function composeTemplate(
  { template }: ConversationMessageSend,
  target: SendTarget,
  identifier: string | undefined,
): ComposedContent | Refusal {
  const { name, language, params = [], header_media_id } = template!;
  const refused = refuseTemplate(target, identifier);
  if (refused) return refused;
  const { template_category: category, template_parameter_format: parameter_format } = target;
  const components = target.template_components!;
  const header = mediaHeader(components);
  const media = header_media_id === undefined ? null : target.media;
  if (header_media_id !== undefined && !media) return new Refusal('media_not_found');
  if (!fitsHeader(header, media?.mime)) {
    const detail = header ? `The template's header is a ${header}.` : "The template's header is no file.";
    return invalid({ detail, pointer: '/template/header_media_id' });
  }
  const result = applyParams({ components, category, parameter_format }, params);
  if (!result.ok) {
    const pointer = result.blank === undefined ? '/template/params' : `/template/params/${result.blank}`;
    return invalid({ detail: describeMisfit(result, params), pointer });
  }
  return {
    body: result.applied.text ?? null,
    content: { ...toOutbound(name!, language!, result.applied), category: category! },
    ...(media && { media }),
  };
}

function missing(member: string): ErrorDetail {
  return { detail: 'is required for this kind', pointer: `/${member}` };
}
