// The platform in our own words. What is on the wire is known to this folder only.

export type JsonObject = { [member: string]: unknown };

/** What a call needs to know about the number it is made for. */
export interface NumberAccess {
  phone_number_id: string;
  access_token: string;
}

/** What a call needs to know about the business account it is made for. */
export interface AccountAccess {
  waba_id: string;
  access_token: string;
}

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
  /** Our message id as text: every status of the message carries it back, even when the answer to the send was lost. */
  callback_data: string;
  quoted_platform_id?: string;
};

export type OutboundContent =
  | { kind: 'text'; body: string }
  | ({ kind: 'image' | 'video'; caption?: string } & PlatformMedia)
  | ({ kind: 'file'; caption?: string; filename?: string } & PlatformMedia)
  /** `mime` decides whether it can be shown as a voice note: only OGG can. */
  | ({ kind: 'voice'; mime?: string } & PlatformMedia)
  | OutboundTemplate
  | { kind: 'location'; latitude: number; longitude: number; name?: string; address?: string }
  /** `interactive` is the contract's object: `type`, `buttons`, and whatever else came with it. */
  | { kind: 'interactive'; body?: string; interactive: InteractiveContent }
  /** An empty `emoji` takes the reaction back. */
  | { kind: 'reaction'; emoji: string; target_platform_id: string };

/** A file as the platform is to find it: by its own id, or at an address that it fetches. */
export type PlatformMedia = { platform_media_id: string } | { link: string };

export interface InteractiveContent extends JsonObject {
  type: 'buttons' | 'list';
  buttons?: JsonObject[];
}

/** Parameters are split by component already; a component without variables is left out. */
export interface OutboundTemplate {
  kind: 'template';
  name: string;
  language: string;
  /** When the message was accepted; the platform is not told it. */
  category?: string;
  header?: HeaderParameter;
  /** What the header is where it shows a file, which is put there for each send. */
  media_header?: 'image' | 'video' | 'document';
  body?: string[];
  buttons?: ButtonParameter[];
  /** In place of the three above: the platform's own components, passed on as they are. */
  components?: JsonObject[];
}

export type HeaderParameter =
  | { type: 'text'; text: string }
  | ({ type: 'image' | 'video' | 'document'; filename?: string } & PlatformMedia);

/** `index` is the button's place among the template's buttons, from 0. */
export type ButtonParameter = { index: number } & (
  | { type: 'url'; text: string }
  | { type: 'quick_reply'; payload: string }
  | { type: 'copy_code'; code: string }
);

/** An error in the platform's words, from an answer or from a webhook. */
export interface PlatformError {
  code: number;
  /** No code could be read: `code` is the HTTP status, and `title` all that is known. */
  is_unread?: true;
  subcode?: number;
  title?: string;
  details?: string;
  transient?: boolean;
  trace_id?: string;
}

/** `throughput`: slow the number down; `pair`: slow this number and this customer down; `transient`: try again later. */
export type RetryClass = 'never' | 'transient' | 'throughput' | 'pair';

/** The channel as a whole cannot send until someone acts. */
export type ChannelFault = 'credentials' | 'restricted' | 'unregistered';

export type SendOutcome =
  /** `held`: accepted, but kept back by the platform until a template's first messages have proved well. */
  | { type: 'accepted'; platform_message_id: string; wa_id?: string; user_id?: string; held?: boolean }
  /** The platform said no before accepting: sending again cannot double the message. */
  | { type: 'refused'; error: PlatformError; retry: RetryClass; channel_fault?: ChannelFault }
  /** No byte of the request was written. */
  | { type: 'unreachable'; reason: string }
  /** The message may have been accepted: only a status that echoes `callback_data` can tell. */
  | { type: 'unknown'; reason: string };

export type PlatformTemplateStatus = 'draft' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled';

/** As the contract's Component. */
export interface PlatformTemplateComponent {
  type: string;
  format?: string;
  text?: string;
  examples?: string[];
  buttons?: { type: string; text?: string; url?: string; phone_number?: string }[];
}

export interface PlatformTemplate {
  platform_template_id: string;
  name: string;
  language: string;
  category: string;
  /** `undefined` for a status this version does not know. */
  status: PlatformTemplateStatus | 'deleted' | undefined;
  components: PlatformTemplateComponent[];
  quality?: string;
  rejection_reason?: string;
}

/** A template that is to be created, in the contract's words. */
export interface NewTemplate {
  name: string;
  language: string;
  category: string;
  components: PlatformTemplateComponent[];
}

export type TemplateCreation =
  /** What the platform did not say, or says in words that this version does not know, is left out. */
  | { type: 'created'; platform_template_id: string; status: PlatformTemplateStatus | undefined; category?: string }
  | TemplateFailure;

export type TemplateFailure =
  /** The account has a template of this name and language. */
  | { type: 'exists' }
  /** The platform said no. `doubtful`: in a code that this version does not know. */
  | { type: 'refused'; error: PlatformError; doubtful: boolean }
  /** It could not be asked, did not answer, or refuses the account as a whole. */
  | { type: 'away'; reason: string };

/** New customers a number may write to in 24 hours: `null` with `unlimited`. */
export interface MessagingTier {
  messaging_tier: number | null;
  unlimited: boolean;
}

export interface PlatformNumber {
  phone_number_id: string;
  /** Digits only, as webhooks name the number. */
  display_phone?: string;
  verified_name?: string;
  quality?: string;
  status?: string;
  tier?: MessagingTier;
}

/** Where an item of a webhook came from. `display_phone` is digits only. */
export interface AccountOrigin {
  waba_id: string;
}

export interface NumberOrigin extends AccountOrigin {
  phone_number_id: string;
  display_phone?: string;
}

/** A customer as the platform names them: with a username, the number may be hidden and only `user_id` known. */
export interface CustomerIds {
  wa_id?: string;
  user_id?: string;
}

export type InboundKind = Exclude<MessageKind, 'template'>;

/** What a message says, in the contract's kinds. `body` is the text, or the caption of media, or a readable stand-in. */
export interface InboundContent {
  kind: InboundKind;
  body: string;
  caption?: string;
  mime?: string;
  filename?: string;
  platform_media_id?: string;
  /** Base64, as webhooks give it; the media resource gives the same bytes in hex. */
  sha256?: string;
  /** An empty `emoji` takes the reaction back. */
  reaction?: { target_platform_id: string; emoji: string };
  /** Why the platform has no content for us, as text with its code. */
  error?: string;
}

interface MessageCommon extends NumberOrigin, CustomerIds, InboundContent {
  platform_message_id: string;
  /** The platform's own timestamp: windows count from it, whenever the webhook arrives. */
  at: Date;
  quoted_platform_id?: string;
  /** The platform's name of the message's type. */
  platform_type: string;
  raw: JsonObject;
}

export interface MessageItem extends MessageCommon {
  type: 'message';
  profile_name?: string;
  opens_window: boolean;
}

/** A message that someone at the business sent from the phone app; `wa_id` and `user_id` are the customer's. */
export interface EchoItem extends MessageCommon {
  type: 'echo';
}

export interface StatusItem extends NumberOrigin, CustomerIds {
  type: 'status';
  platform_message_id: string;
  status: 'sent' | 'delivered' | 'read' | 'failed';
  /** Where it can be read. */
  at?: Date;
  callback_data?: string;
  error?: string;
  error_code?: number;
  pricing?: { billable?: boolean; model?: string; type?: string; category?: string };
  /** The platform's own conversation around the message, in which it may charge once for many. */
  conversation_id?: string;
}

interface TemplateOrigin extends AccountOrigin {
  /** Text, also where the wire has an integer. */
  platform_template_id: string;
  name?: string;
  language?: string;
}

export interface TemplateStatusItem extends TemplateOrigin {
  type: 'template_status';
  /** The platform's time of the report. */
  at?: Date;
  status: PlatformTemplateStatus | 'deleted';
  reason?: string;
}

export interface TemplateQualityItem extends TemplateOrigin {
  type: 'template_quality';
  quality: string;
}

/** `category` holds now; `announced_category` is what the platform will change it to. */
export interface TemplateCategoryItem extends TemplateOrigin {
  type: 'template_category';
  category: string;
  announced_category?: string;
}

export interface NumberQualityItem extends AccountOrigin {
  type: 'number_quality';
  display_phone: string;
  event?: string;
  tier?: MessagingTier;
}

/** Holds for all numbers of the account. */
export interface CapabilityItem extends AccountOrigin {
  type: 'capability';
  tier: MessagingTier;
}

export interface NumberNameItem extends AccountOrigin {
  type: 'number_name';
  display_phone: string;
  decision: string;
  requested_name?: string;
  reason?: string;
}

export interface AccountItem extends AccountOrigin {
  type: 'account';
  field: string;
  event?: string;
  raw: JsonObject;
}

export interface UserPreferenceItem extends NumberOrigin, CustomerIds {
  type: 'user_preference';
  marketing: boolean;
  at: Date;
}

export interface IdentityChangeItem extends NumberOrigin {
  type: 'identity_change';
  platform_message_id: string;
  at: Date;
  previous: CustomerIds;
  current: CustomerIds;
}

/** Left aside: not ours to act on, or malformed. `reason` names types and fields, never content. */
export interface IgnoredItem {
  type: 'ignored';
  waba_id?: string;
  field?: string;
  reason: string;
}

export type PlatformItem =
  | MessageItem
  | EchoItem
  | StatusItem
  | TemplateStatusItem
  | TemplateQualityItem
  | TemplateCategoryItem
  | NumberQualityItem
  | CapabilityItem
  | NumberNameItem
  | AccountItem
  | UserPreferenceItem
  | IdentityChangeItem
  | IgnoredItem;
