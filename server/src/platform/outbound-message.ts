import type { JsonObject } from './json-object.ts';

// A message to send, in the contract's terms.

/** The path of a send. The platform has one of its own for marketing templates. */
export type SendRoute = 'messages' | 'marketing_messages';

export type MessageKind =
  | 'text'
  | 'image'
  | 'video'
  | 'file'
  | 'voice'
  | 'template'
  | 'location'
  | 'interactive'
  | 'reaction';

/** `recipient` is a phone number (E.164, or the platform's bare digits) or a business-scoped user id such as `US.1349…`. */
export type OutboundMessage = OutboundContent & {
  recipient: string;
  /** The public message id. Every status returns it, even where the answer to the send was lost. */
  callback_data: string;
  quoted_platform_id?: string;
};

export type OutboundContent =
  | { kind: 'text'; body: string }
  | ({ kind: 'image' | 'video'; caption?: string } & PlatformMedia)
  | ({ kind: 'file'; caption?: string; filename?: string } & PlatformMedia)
  /** Only OGG can be shown as a voice note. */
  | ({ kind: 'voice'; mime?: string } & PlatformMedia)
  | OutboundTemplate
  | { kind: 'location'; latitude: number; longitude: number; name?: string; address?: string }
  /** `interactive` is the contract's object with all its members. */
  | { kind: 'interactive'; body?: string; interactive: InteractiveContent }
  /** An empty `emoji` removes the reaction. */
  | { kind: 'reaction'; emoji: string; target_platform_id: string };

/** A file by its platform id, or by an address that the platform fetches. */
export type PlatformMedia = { platform_media_id: string } | { link: string };

export interface InteractiveContent extends JsonObject {
  type: 'buttons' | 'list' | 'request_contact_info';
  buttons?: JsonObject[];
}

/** Parameters by component; a component without variables is absent. */
export interface OutboundTemplate {
  kind: 'template';
  name: string;
  language: string;
  /** The category when the message was accepted; not sent to the platform. */
  category?: string;
  header?: HeaderParameter;
  /** The format of a header that takes a file with each send. */
  media_header?: 'image' | 'video' | 'document';
  body?: TextParameter[];
  buttons?: ButtonParameter[];
  /** Replaces `header`, `body` and `buttons`: platform components, sent unchanged. */
  components?: JsonObject[];
}

/** A value of a text: alone for a numbered variable, with the name of a named one. */
export type TextParameter = string | NamedText;

export interface NamedText {
  text: string;
  name?: string;
}

export function namedText(value: TextParameter): NamedText {
  return typeof value === 'string' ? { text: value } : value;
}

export type HeaderParameter =
  | ({ type: 'text' } & NamedText)
  | ({ type: 'image' | 'video' | 'document'; filename?: string } & PlatformMedia);

/** `index`: the position among the template's buttons, from 0. */
export type ButtonParameter = { index: number } & (
  | ({ type: 'url' } & NamedText)
  | { type: 'flow' }
  | { type: 'quick_reply'; payload: string }
  | { type: 'copy_code'; code: string }
);
