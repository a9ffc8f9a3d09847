import type { ConversationMessageSend } from '@majlis/contract';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import type { MediaRow } from '../../media/queries.ts';
import { accepts, fitsHeader } from '../../media/rules.ts';
import type { OutboundContent } from '../../platform/types.ts';
import { applyParams, mediaHeader, toOutbound } from '../../templates/apply-params.ts';
import { optInMissing } from '../rules.ts';
import type { Target } from './find-targets.ts';

/** What is stored of a message beyond its columns, and the text a person reads. */
export interface Composed {
  body: string | null;
  /** What the platform is to be sent where `body` alone does not say it. */
  content: OutboundContent | null;
  /** The file that the message is, or that its template's header shows. */
  media?: MediaRow;
}

/** What the parts of a send must be for its kind; the schema cannot say it, since every member is optional there. */
export function refuseContent(send: ConversationMessageSend): Refusal | undefined {
  const { kind, body, template, interactive, location, reply_to_id, media_id } = send;
  switch (kind) {
    case 'text':
      return body ? undefined : missing('body');
    case 'image':
    case 'video':
    case 'file':
      return media_id === undefined ? missing('media_id') : undefined;
    case 'voice':
      return media_id === undefined ? missing('media_id') : refuseWords(send);
    case 'template':
      if (!template) return missing('template');
      if (template.name === undefined) return missing('template/name');
      return template.language === undefined ? missing('template/language') : refuseWords(send);
    case 'location':
      if (!location) return missing('location');
      if (location.latitude === undefined) return missing('location/latitude');
      return location.longitude === undefined ? missing('location/longitude') : refuseWords(send);
    case 'interactive':
      if (!interactive) return missing('interactive');
      if (interactive.type === undefined) return missing('interactive/type');
      return interactive.buttons === undefined ? missing('interactive/buttons') : undefined;
    case 'reaction':
      if (body === undefined) return missing('body');
      return reply_to_id === undefined ? missing('reply_to_id') : undefined;
  }
}

/** The platform has no place for them with this kind, and they would be lost without a trace. */
function refuseWords({ kind, body }: ConversationMessageSend): Refusal | undefined {
  return body ? invalid({ detail: `is shown to nobody with kind ${kind}`, pointer: '/body' }) : undefined;
}

/** The id of the file that is looked up: the header's of a template, where it gives one. */
export function mediaNamedIn({ kind, template, media_id }: ConversationMessageSend): string | undefined {
  return (kind === 'template' ? template?.header_media_id : undefined) ?? media_id;
}

/** The content of a send whose parts are there, or why the template or the media do not allow it. */
export function composeContent(send: ConversationMessageSend, target: Target): Composed | Refusal {
  const composed = composeKind(send, target);
  if (composed instanceof Refusal) return composed;
  return send.media_id !== undefined && !target.media ? new Refusal('media_not_found') : composed;
}

function composeKind(send: ConversationMessageSend, target: Target): Composed | Refusal {
  const { kind, body, interactive, location } = send;
  switch (kind) {
    case 'template':
      return composeTemplate(send.template!, target);
    case 'image':
    case 'video':
    case 'file':
    case 'voice':
      return composeMedia(send, target.media);
    case 'location': {
      const { latitude, longitude, name, address } = location!;
      const place = [name, address, `${latitude},${longitude}`].filter(Boolean).join('\n');
      const named = { ...(name !== undefined && { name }), ...(address !== undefined && { address }) };
      return {
        body: place,
        content: { kind, latitude: latitude!, longitude: longitude!, ...named },
      };
    }
    case 'interactive':
      return {
        body: body ?? null,
        content: {
          kind,
          ...(body !== undefined && { body }),
          interactive: { ...interactive!, type: interactive!.type! },
        },
      };
    default:
      return { body: body ?? null, content: null };
  }
}

function composeMedia({ kind, body }: ConversationMessageSend, media: MediaRow | null): Composed | Refusal {
  if (!media) return new Refusal('media_not_found');
  if (!accepts(kind, media.mime)) {
    return invalid({ detail: `is of type ${media.mime}, which kind ${kind} does not take`, pointer: '/media_id' });
  }
  return { body: body || null, content: null, media };
}

function composeTemplate(
  template: NonNullable<ConversationMessageSend['template']>,
  target: Target,
): Composed | Refusal {
  const { name, language, params = [], header_media_id } = template;
  const components = target.template_components;
  if (!components) return new Refusal('template_not_found');
  const header = mediaHeader(components);
  const media = header_media_id === undefined ? null : target.media;
  if (header_media_id !== undefined && !media) return new Refusal('media_not_found');
  if (!fitsHeader(header, media?.mime)) {
    const detail = header ? `The template's header is a ${header}.` : "The template's header is no file.";
    return invalid({ detail, pointer: '/template/header_media_id' });
  }
  const result = applyParams(components, params);
  if (!result.ok) {
    const detail = `The template has ${result.needed} variables, and ${params.length} values were given.`;
    return invalid({ detail, pointer: '/template/params' });
  }
  if (target.template_category === 'marketing' && !target.marketing_opt_in) {
    return new Refusal('unprocessable_content', { detail: optInMissing });
  }
  return {
    body: result.applied.text ?? null,
    content: { ...toOutbound(name!, language!, result.applied), category: target.template_category! },
    ...(media && { media }),
  };
}

function missing(member: string): Refusal {
  return invalid({ detail: 'is required for this kind', pointer: `/${member}` });
}
