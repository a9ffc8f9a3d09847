// The platform in the contract's terms. Only this folder knows the wire format.

export type JsonObject = { [member: string]: unknown };

/** Credentials for calls on a number. */
export interface NumberAccess {
  phone_number_id: string;
  access_token: string;
}

/** The path of a send. The platform has one of its own for marketing templates. */
export type SendRoute = 'messages' | 'marketing_messages';

/** Credentials for calls on a business account. */
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

/** An error of the platform, from an answer or a webhook. */
export interface PlatformError {
  code: number;
  /** The answer held no readable code: `code` is the HTTP status, and only `title` is set. */
  is_unread?: true;
  subcode?: number;
  title?: string;
  details?: string;
  transient?: boolean;
  trace_id?: string;
}

/** `throughput`: slow the number down; `pair`: slow this number and customer down; `transient`: retry later. */
export type RetryClass = 'never' | 'transient' | 'throughput' | 'pair';

/** The channel cannot send until someone repairs it. */
export type ChannelFault = 'credentials' | 'restricted' | 'unregistered';

export type SendOutcome =
  /** `held`: accepted, and kept back until the platform has assessed the template's first messages. */
  | { type: 'accepted'; platform_message_id: string; wa_id?: string; user_id?: string; held?: boolean }
  /** Refused before acceptance: a retry cannot duplicate the message. */
  | { type: 'refused'; error: PlatformError; retry: RetryClass; channel_fault?: ChannelFault }
  /** No byte of the request was written. */
  | { type: 'unreachable'; reason: string }
  /** The message may have been accepted: only a status that echoes `callback_data` settles it. */
  | { type: 'unknown'; reason: string };

export type PlatformTemplateStatus = 'draft' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled';

/** The contract's Component. */
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

/** A template to create, in the contract's terms. */
export interface NewTemplate {
  name: string;
  language: string;
  category: string;
  components: PlatformTemplateComponent[];
}

export type TemplateCreation =
  /** Values that the platform omits, or that this version does not know, are absent. */
  | { type: 'created'; platform_template_id: string; status: PlatformTemplateStatus | undefined; category?: string }
  | TemplateFailure;

export type TemplateFailure =
  /** The account has a template of this name and language. */
  | { type: 'exists' }
  /** `doubtful`: the code of the refusal is unknown to this version. */
  | { type: 'refused'; error: PlatformError; doubtful: boolean }
  /** The platform was unreachable, or refuses the whole account. */
  | { type: 'away'; reason: string };

/** New customers that a number may write to in 24 hours; `null` with `unlimited`. */
export interface MessagingTier {
  messaging_tier: number | null;
  unlimited: boolean;
}

export interface PlatformNumber {
  phone_number_id: string;
  /** Digits only, as in webhooks. */
  display_phone?: string;
  verified_name?: string;
  quality?: string;
  status?: string;
  tier?: MessagingTier;
}

/** The account of a webhook item. */
export interface AccountOrigin {
  waba_id: string;
  /** The platform's time of a report on an account, a template or a number. */
  at?: Date;
}

/** The number of a webhook item. `display_phone` is digits only. */
export interface NumberOrigin extends AccountOrigin {
  phone_number_id: string;
  display_phone?: string;
}

/** The platform's ids of a customer. A customer with a username may hide the number: only `user_id` is known then. */
export interface CustomerIds {
  wa_id?: string;
  user_id?: string;
}

export type InboundKind = Exclude<MessageKind, 'template'>;

/** Message content in the contract's kinds. `body`: the text, the caption of media, or a readable substitute. */
export interface InboundContent {
  kind: InboundKind;
  body: string;
  caption?: string;
  mime?: string;
  filename?: string;
  platform_media_id?: string;
  /** Base64 in webhooks; the media resource has the same bytes in hex. */
  sha256?: string;
  /** An empty `emoji` removes the reaction. */
  reaction?: { target_platform_id: string; emoji: string };
  /** Why the platform sent no content, with its code. */
  error?: string;
}

interface MessageCommon extends NumberOrigin, CustomerIds, InboundContent {
  platform_message_id: string;
  /** The platform's timestamp. Windows count from it, not from the arrival of the webhook. */
  at: Date;
  quoted_platform_id?: string;
  /** The type's name at the platform. */
  platform_type: string;
  raw: JsonObject;
}

export interface MessageItem extends MessageCommon {
  type: 'message';
  profile_name?: string;
  opens_window: boolean;
  /** The platform's own agent holds the conversation. */
  is_held?: true;
  /** A reaction that was taken back: the customer says nothing. */
  is_silent: boolean;
}

/** A message that the business sent from its phone, or the platform's own agent. `wa_id` and `user_id` are the customer's. */
export interface EchoItem extends MessageCommon {
  type: 'echo';
  /** The platform's own agent sent it. */
  is_held?: true;
}

/** A message of the history that the phone app shares. Nothing follows it. */
export interface ImportedItem extends MessageCommon {
  type: 'imported';
  by: 'customer' | 'business';
  /** Its order among the messages of one second. */
  place: number;
}

/** An entry of the phone app's address book. */
export interface AddressBookItem extends NumberOrigin, CustomerIds {
  type: 'address';
  /** Absent: the entry was removed. */
  name?: string;
  at: Date;
}

/** What the platform reports of a call. Absent members are unknown by this report. */
export interface CallItem extends NumberOrigin, CustomerIds {
  type: 'call';
  call_id: string;
  event: 'begun' | 'ringing' | 'accepted' | 'rejected' | 'ended';
  by?: 'customer' | 'business';
  /** Of an answered call. */
  duration_seconds?: number;
  profile_name?: string;
  at: Date;
}

/** The customer opened a link of a marketing message. */
export interface ClickItem extends NumberOrigin, CustomerIds {
  type: 'click';
  click_id: string;
  /** Absent: the platform names no message. */
  platform_message_id?: string;
  component?: string;
  at: Date;
  raw: JsonObject;
}

/** The state of a payment that a message asked for. */
export interface PaymentItem extends NumberOrigin, CustomerIds {
  type: 'payment';
  reference_id: string;
  status: string;
  platform_message_id?: string;
  callback_data?: string;
  /** In units of the currency. */
  amount?: number;
  currency?: string;
  at: Date;
  raw: JsonObject;
}

/** The platform's own agent got a conversation, or gave it up. */
export interface HandoverItem extends NumberOrigin, CustomerIds {
  type: 'handover';
  is_held: boolean;
  at?: Date;
}

/** The author of a message edited or deleted it. It is no message. */
export interface RevisionItem extends NumberOrigin, CustomerIds {
  type: 'revision';
  by: 'customer' | 'business';
  /** The revised message. */
  platform_message_id: string;
  at: Date;
  /** The new text of an edited message; absent for a deleted one. */
  body?: string;
  raw: JsonObject;
}

export interface StatusItem extends NumberOrigin, CustomerIds {
  type: 'status';
  platform_message_id: string;
  status: 'sent' | 'delivered' | 'read' | 'failed';
  /** Absent where the timestamp is unreadable. */
  at?: Date;
  callback_data?: string;
  error?: string;
  error_code?: number;
  pricing?: { billable?: boolean; model?: string; type?: string; category?: string };
  /** The platform's conversation, which it may charge once for several messages. */
  conversation_id?: string;
}

/** A report whose content is read at the platform. */
export interface TemplateChangeItem extends AccountOrigin {
  type: 'template_change';
}

interface TemplateOrigin extends AccountOrigin {
  /** Text, even where the wire has an integer. */
  platform_template_id: string;
  name?: string;
  language?: string;
}

export interface TemplateStatusItem extends TemplateOrigin {
  type: 'template_status';
  status: PlatformTemplateStatus | 'deleted';
  reason?: string;
}

export interface TemplateQualityItem extends TemplateOrigin {
  type: 'template_quality';
  quality: string;
}

/** `category` holds now; the platform will change it to `announced_category`. */
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

/** Applies to all numbers of the account. */
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

/** The username of the business of a number. */
export interface BusinessUsernameItem extends AccountOrigin {
  type: 'business_username';
  display_phone: string;
  /** Absent: it is not the business's any more. */
  username?: string;
  /** As the platform states it, such as `reserved`. */
  status: string;
}

/** A tier of prices that the volume of an account has reached. */
export interface VolumeTierItem extends AccountOrigin {
  type: 'volume_tier';
  category: string;
  region: string;
  tier: string;
  effective_month?: string;
  updated_at: Date;
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
  /** The customer gave the number because the business asked for it. */
  is_given?: true;
}

/** An unsupported or malformed item. `reason` names types and fields, never content. */
export interface IgnoredItem {
  type: 'ignored';
  waba_id?: string;
  phone_number_id?: string;
  field?: string;
  reason: string;
  /** The value of its change, on the first of the change's ignored items. */
  raw?: JsonObject;
}

export type PlatformItem =
  | MessageItem
  | EchoItem
  | RevisionItem
  | StatusItem
  | TemplateStatusItem
  | TemplateQualityItem
  | TemplateCategoryItem
  | TemplateChangeItem
  | NumberQualityItem
  | CapabilityItem
  | NumberNameItem
  | AccountItem
  | BusinessUsernameItem
  | VolumeTierItem
  | UserPreferenceItem
  | IdentityChangeItem
  | HandoverItem
  | ImportedItem
  | CallItem
  | ClickItem
  | PaymentItem
  | AddressBookItem
  | IgnoredItem;
