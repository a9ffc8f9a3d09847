import type {
  HeaderParameter,
  OutboundContent,
  OutboundMessage,
  OutboundTemplate,
  PlatformMedia,
} from '../../platform/outbound-message.ts';

interface StoredMessage {
  kind: string;
  body: string | null;
  /** The name of its file. */
  filename: string | null;
  mime: string | null;
  content: OutboundContent | null;
  recipient: string;
  quoted_platform_id: string | null;
}

/**
 * The platform's form of a stored message. `media`: its file, as uploaded. The platform returns `callback_data` with
 * every status.
 */
export function toOutboundMessage(
  message: StoredMessage,
  callback_data: string,
  media?: PlatformMedia,
): OutboundMessage {
  const { recipient, quoted_platform_id } = message;
  if (message.kind === 'reaction') {
    const reaction = { emoji: message.body ?? '', target_platform_id: quoted_platform_id ?? '' };
    return { kind: 'reaction', ...reaction, recipient, callback_data };
  }
  return {
    ...(media ? contentWith(media, message) : (message.content ?? { kind: 'text', body: message.body ?? '' })),
    recipient,
    callback_data,
    ...(quoted_platform_id && { quoted_platform_id }),
  };
}

function contentWith(media: PlatformMedia, { kind, body, filename, mime, content }: StoredMessage): OutboundContent {
  if (content?.kind === 'template') return { ...content, header: headerWith(media, content, filename) };
  const caption = body === null ? {} : { caption: body };
  switch (kind) {
    case 'image':
    case 'video':
      return { kind, ...media, ...caption };
    case 'voice':
      return { kind, ...media, ...(mime !== null && { mime }) };
    default:
      return { kind: 'file', ...media, ...caption, ...(filename !== null && { filename }) };
  }
}

function headerWith(
  media: PlatformMedia,
  { media_header }: OutboundTemplate,
  filename: string | null,
): HeaderParameter {
  if (media_header === 'image' || media_header === 'video') return { type: media_header, ...media };
  return { type: 'document', ...media, ...(filename !== null && { filename }) };
}
