// Written by scripts/generate-contract.ts. Do not edit.

import type { ApiPromise, KeyedOptions, RequestOptions } from './options.ts';
import type { PagePromise } from './page.ts';
import type { Upload } from './upload.ts';

export interface ErrorDetail {
  /** The fault of this member. */
  detail: string;
  /** JSON Pointer to the member, from the root of the body. */
  pointer: string;
}

/** Only `code` is part of the contract. The other members help a person and may change. */
export interface ErrorBody {
  /** The machine-readable reason. Decide by this member. */
  code: string;
  /** The reason in words; the same for every error of this code. */
  title?: string | undefined;
  /** The HTTP status, repeated. */
  status?: number | undefined;
  /** The details of this case, for a person to read. */
  detail?: string | undefined;
  /** For 422: the members at fault. */
  errors?: ErrorDetail[] | undefined;
}

export interface MessageTemplate {
  /** The name of an approved template. */
  name?: string | undefined;
  /** The language of the template. */
  language?: string | undefined;
  /** Values for `{{1}}`, `{{2}}` and so on, in order. */
  params?: string[] | undefined;
  /** The file of an image, video or document header. Coming soon. */
  header_media_id?: string | undefined;
}

export interface Interactive {
  /** The form in which the choices are shown. */
  type?: "buttons" | "list" | undefined;
  /** The choices, each `{id, title}`; in a list also `description`. The shape of the channel platform, `{type: "reply", reply: {id, title}}`, is taken too. What the platform refuses is refused with 422. */
  buttons?: Array<{
    [name: string]: unknown;
  }> | undefined;
}

export interface Location {
  latitude?: number | undefined;
  longitude?: number | undefined;
  name?: string | undefined;
  address?: string | undefined;
}

export interface MessageSend {
  /** The sending number. Optional when the workspace has one channel. */
  channel_id?: string | undefined;
  /** The recipient: for chatapp a phone number, E.164. Required unless `contact_id` is given. */
  to?: string | undefined;
  /** The recipient as a contact, instead of `to`. */
  contact_id?: string | undefined;
  /** The kind of the message. A closed window accepts `template` alone. */
  kind: "text" | "image" | "video" | "file" | "voice" | "template" | "location" | "interactive" | "reaction";
  /** The text, or the caption of media. */
  body?: string | undefined;
  /** A file uploaded by `POST /v1/media`. */
  media_id?: string | undefined;
  /** An earlier message to quote. */
  reply_to_id?: string | undefined;
  template?: MessageTemplate | undefined;
  interactive?: Interactive | undefined;
  location?: Location | undefined;
}

export interface Message {
  id: string;
  conversation_id: string;
  /** `inbound` from the contact, `outbound` to the contact. */
  direction: string;
  /** The kind of the message. Only the team sees a `note`. */
  kind: "text" | "image" | "video" | "file" | "voice" | "template" | "location" | "interactive" | "reaction" | "note";
  /** The text, or the caption of media. */
  body?: string | undefined;
  /** The caption of media. */
  caption?: string | undefined;
  /** The file, for `GET /v1/media/{media_id}`. */
  media_id?: string | undefined;
  filename?: string | undefined;
  mime?: string | undefined;
  size_bytes?: number | undefined;
  /** The earlier message that this message quotes. */
  reply_to_id?: string | undefined;
  /** The kind of sender that `actor_id` names. */
  actor_kind?: string | undefined;
  actor_id?: string | undefined;
  /** The delivery status. Absent on notes and on inbound messages. */
  status?: "queued" | "sent" | "delivered" | "read" | "failed" | undefined;
  /** The reason of a failure, with the numeric code of the channel platform. */
  error?: string | undefined;
  /** When the service stored the message. ISO 8601, UTC. */
  created_at: string;
}

export interface MessagePage {
  /** Oldest first. The first page holds the newest messages. */
  data: Message[];
  /** The `cursor` of the next page. Absent on the last page. */
  next_cursor?: string | undefined;
  /** Whether there is a next page. */
  has_more: boolean;
}

export interface ConversationMessageSend {
  /** The kind of the message. A closed window accepts `template` alone. */
  kind: "text" | "image" | "video" | "file" | "voice" | "template" | "location" | "interactive" | "reaction";
  /** The text, or the caption of media. */
  body?: string | undefined;
  /** A file uploaded by `POST /v1/media`. */
  media_id?: string | undefined;
  /** An earlier message to quote. */
  reply_to_id?: string | undefined;
  template?: MessageTemplate | undefined;
  interactive?: Interactive | undefined;
  location?: Location | undefined;
}

export interface Conversation {
  id: string;
  contact_id: string;
  channel_id: string;
  /** The type of the channel. Only `chatapp` is live. */
  channel_type: "chatapp" | "instagram" | "messenger" | "sms" | "email" | "webchat";
  /** A closed conversation refuses replies until reopened. */
  status: "open" | "closed";
  /** The lifecycle stage. */
  stage_id?: string | undefined;
  /** The assigned user. Absent when unassigned. */
  assignee_id?: string | undefined;
  team_id?: string | undefined;
  /** The side that answers. While it is `bot`, replies of users are refused. */
  controller: "human" | "bot";
  /** The number of messages of the contact that the team has not seen. */
  unread_count: number;
  tags: string[];
  /** When the contact last wrote. ISO 8601, UTC. */
  last_customer_at?: string | undefined;
  /** When either side last wrote. ISO 8601, UTC. */
  last_message_at?: string | undefined;
  /** The end of the 24-hour window. Absent while the contact has never written. ISO 8601, UTC. */
  window_expires_at?: string | undefined;
  contact_name?: string | undefined;
  /** The phone number, handle or e-mail address of the contact on this channel. */
  contact_handle?: string | undefined;
}

export interface ConversationPage {
  /** Most recent activity first. */
  data: Conversation[];
  /** The `cursor` of the next page. Absent on the last page. */
  next_cursor?: string | undefined;
  /** Whether there is a next page. */
  has_more: boolean;
}

export interface ConversationAssign {
  /** The user. `null` clears the assignment. */
  assignee_id?: string | null | undefined;
  /** The team. `null` clears the team. Coming soon. */
  team_id?: string | null | undefined;
}

export interface ConversationClose {
  /** The closing reason. */
  category_id?: string | undefined;
  /** The result of the conversation. */
  summary?: string | undefined;
  /** Whether to send the contact a satisfaction survey. Coming soon. */
  send_csat?: boolean | undefined;
}

export interface ConversationStage {
  /** The stage, of `GET /v1/stages`. `null` clears it. */
  stage_id?: string | null | undefined;
}

export interface ConversationHandover {
  /** The side that takes control. */
  to: "human" | "bot";
  /** The AI agent that takes control, when `to` is `bot`. */
  ai_agent_id?: string | undefined;
}

export interface ConversationSnooze {
  /** The end of the snooze. ISO 8601, UTC. */
  until: string;
}

export interface ConversationNote {
  /** The text of the note. */
  body: string;
}

export interface TemplateButton {
  /** Such as `quick_reply`. */
  type?: string | undefined;
  text?: string | undefined;
  url?: string | undefined;
  phone_number?: string | undefined;
}

export interface TemplateComponent {
  /** The part of the message. */
  type?: "header" | "body" | "footer" | "buttons" | undefined;
  /** The content of a header. */
  format?: "text" | "image" | "video" | "document" | undefined;
  /** The text, with the variables `{{1}}`, `{{2}}` and so on. */
  text?: string | undefined;
  /** Sample values of the variables, in order. */
  examples?: string[] | undefined;
  buttons?: TemplateButton[] | undefined;
}

export interface Template {
  id: string;
  name: string;
  language: string;
  /** Promotional, order updates and reminders, or one-time codes. It affects pricing and approval. */
  category: "marketing" | "utility" | "authentication";
  components: TemplateComponent[];
  /** The review status at the channel platform. Only an `approved` template can be sent. */
  status: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled";
  /** The reason as the channel platform states it. */
  rejection_reason?: string | undefined;
  /** The quality rating as the channel platform states it. */
  quality?: string | undefined;
  /** When the template or its status last changed. ISO 8601, UTC. */
  updated_at: string;
}

export interface TemplateList {
  data: Template[];
}

export interface TemplateCreate {
  /** The name of the template, the same in every language. */
  name: string;
  /** Such as `en` or `ar`. */
  language: string;
  /** Promotional, order updates and reminders, or one-time codes. It affects pricing and approval. */
  category: "marketing" | "utility" | "authentication";
  components: TemplateComponent[];
}

export interface TemplateReview {
  /** The review status at the channel platform. Only an `approved` template can be sent. */
  status?: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled" | undefined;
  rejection_reason?: string | undefined;
  /** When the template reached this status. ISO 8601, UTC. */
  updated_at?: string | undefined;
}

export interface ReviewedTemplate {
  id: string;
  name: string;
  language: string;
  /** Promotional, order updates and reminders, or one-time codes. It affects pricing and approval. */
  category: "marketing" | "utility" | "authentication";
  components: TemplateComponent[];
  /** The review status at the channel platform. Only an `approved` template can be sent. */
  status: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled";
  /** The reason as the channel platform states it. */
  rejection_reason?: string | undefined;
  /** The quality rating as the channel platform states it. */
  quality?: string | undefined;
  /** When the template or its status last changed. ISO 8601, UTC. */
  updated_at: string;
  /** The earlier statuses. The contract does not fix the form of this list: do not rely on it. */
  review_history?: TemplateReview[] | undefined;
}

export interface Identity {
  /** The type of the channel. Only `chatapp` is live. */
  channel_type: "chatapp" | "instagram" | "messenger" | "sms" | "email" | "webchat";
  /** A phone number (E.164, or a local one of 8 digits), a handle or an e-mail address. */
  identifier: string;
  /** The name of the contact on this channel. */
  display_name?: string | undefined;
}

/** The marketing opt-in of the contact, by channel. The service stores other keys unchanged. */
export interface Consents {
  /** Whether marketing templates may be sent on chatapp. */
  chatapp_marketing?: boolean | undefined;
  [name: string]: unknown;
}

export interface Contact {
  id: string;
  name?: string | undefined;
  /** The addresses of the contact. Phone numbers are E.164. */
  identities: Identity[];
  email?: string | undefined;
  language?: string | undefined;
  dialect?: string | undefined;
  vip: boolean;
  /** While `true`, the service sends nothing to the contact. */
  blocked: boolean;
  tags: string[];
  stage_id?: string | undefined;
  consents: Consents;
  /** Values by the `key` of the custom field. A key without a definition is refused. Coming soon. */
  custom_fields?: {
    [name: string]: unknown;
  } | undefined;
  /** The time of the last message of the contact, or of the first message to the contact. ISO 8601, UTC. */
  last_activity_at?: string | undefined;
}

export interface ContactPage {
  /** Newest activity first. */
  data: Contact[];
  /** The `cursor` of the next page. Absent on the last page. */
  next_cursor?: string | undefined;
  /** Whether there is a next page. */
  has_more: boolean;
}

export interface ContactUpsert {
  name?: string | undefined;
  /** A contact that owns one of the identities is updated. */
  identities: Identity[];
  email?: string | undefined;
  language?: string | undefined;
  vip?: boolean | undefined;
  tags?: string[] | undefined;
  stage_id?: string | undefined;
  /** Values by the `key` of the custom field. A key without a definition is refused. Coming soon. */
  custom_fields?: {
    [name: string]: unknown;
  } | undefined;
  consents?: Consents | undefined;
}

export interface ContactImport {
  contacts: ContactUpsert[];
}

export interface ContactImportResult {
  created: number;
  updated: number;
  failed: Array<{
    /** The index of the row in `contacts`, from 0. */
    index: number;
    /** The reason, such as `invalid_phone`. */
    code: string;
  }>;
}

export interface ContactUpdate {
  name?: string | undefined;
  email?: string | undefined;
  language?: string | undefined;
  vip?: boolean | undefined;
  /** `true` stops all messages to the contact. */
  blocked?: boolean | undefined;
  /** Replaces the whole set of tags. */
  tags?: string[] | undefined;
  /** The stage. `null` clears it. */
  stage_id?: string | null | undefined;
  /** Values by the `key` of the custom field. A key without a definition is refused. Coming soon. */
  custom_fields?: {
    [name: string]: unknown;
  } | undefined;
}

export interface ContactMerge {
  /** The contact to merge into the other one. The merge deletes it. */
  source_contact_id: string;
}

export interface CustomField {
  /** The key of the value in `custom_fields` of a contact. */
  key: string;
  /** The name that people see. */
  label?: string | undefined;
  /** The type of the value. */
  type: "text" | "number" | "date" | "boolean" | "select";
  /** The choices of a `select`. */
  options?: string[] | undefined;
}

export interface CustomFieldList {
  data: CustomField[];
}

export interface CustomFieldCreate {
  /** The key of the value in `custom_fields` of a contact. */
  key: string;
  /** The name that people see. */
  label?: string | undefined;
  /** The type of the value. */
  type: "text" | "number" | "date" | "boolean" | "select";
  /** The choices of a `select`. */
  options?: string[] | undefined;
}

export interface Tag {
  name: string;
  /** How many contacts carry it. */
  contacts: number;
}

export interface TagList {
  data: Tag[];
}

export interface Stage {
  id: string;
  name: string;
  emoji?: string | undefined;
  order: number;
}

export type StageList = Stage[];

export interface Workflow {
  id: string;
  name: string;
  /** Only a `published` workflow starts. */
  status: "published" | "paused" | "draft";
  /** The name of the trigger. */
  trigger: string;
  /** When the workflow or its status last changed. ISO 8601, UTC. */
  updated_at: string;
}

export interface WorkflowList {
  data: Workflow[];
}

export interface WorkflowStatusChange {
  /** Only a `published` workflow starts. */
  status: "published" | "paused" | "draft";
}

export interface WorkflowRunStart {
  /** The contact to run for: by its id, or by an identity. */
  contact: {
    /** An existing contact. */
    id?: string | undefined;
    /** An existing contact; the same as `id`. */
    contact_id?: string | undefined;
    /** The type of the channel. Only `chatapp` is live. */
    channel_type?: "chatapp" | "instagram" | "messenger" | "sms" | "email" | "webchat" | undefined;
    /** With `channel_type`: the identity of a contact to find or create. */
    identifier?: string | undefined;
  };
  /** Values that steps read as `{{trigger.variables.<name>}}`. */
  variables?: {
    [name: string]: unknown;
  } | undefined;
}

export interface WorkflowRun {
  run_id: string;
  /** `running` when it has just started. */
  status: string;
}

export interface BroadcastTemplate {
  /** The name of an approved template. */
  name: string;
  /** The language of the template. */
  language: string;
}

export interface BroadcastRecipient {
  /** A phone number. */
  to: string;
  /** Values for `{{1}}`, `{{2}}` and so on, in order. */
  params?: string[] | undefined;
}

/** Exactly one of the three members. A page of broadcasts shows no `recipients`. */
export interface BroadcastAudience {
  /** All contacts that carry one of these tags. */
  tags?: string[] | undefined;
  /** All contacts at this stage. */
  stage_id?: string | undefined;
  recipients?: BroadcastRecipient[] | undefined;
}

export interface BroadcastCounts {
  total: number;
  queued?: number | undefined;
  sent: number;
  delivered: number;
  read: number;
  replied: number;
  failed: number;
}

export interface Broadcast {
  id: string;
  name: string;
  channel_id?: string | undefined;
  template: BroadcastTemplate;
  audience: BroadcastAudience;
  /** The start of sending. ISO 8601, UTC. */
  send_at?: string | undefined;
  /** Such as `scheduled`. */
  status: string;
  counts: BroadcastCounts;
}

export interface BroadcastPage {
  /** A page of broadcasts. */
  data: Broadcast[];
  /** The `cursor` of the next page. Absent on the last page. */
  next_cursor?: string | undefined;
  /** Whether there is a next page. */
  has_more: boolean;
}

export interface BroadcastCreate {
  name: string;
  /** The sending number. Optional when the workspace has one channel. */
  channel_id?: string | undefined;
  template: BroadcastTemplate;
  audience: BroadcastAudience;
  /** The start of sending. Absent: now. ISO 8601, UTC. */
  send_at?: string | undefined;
}

export interface AiAgent {
  id: string;
  name: string;
  status?: string | undefined;
  languages: string[];
}

export interface AiAgentList {
  data: AiAgent[];
}

export interface ReplyCompose {
  /** The purpose of the reply. */
  instruction?: string | undefined;
  /** The tone of the reply. */
  tone?: "friendly" | "formal" | "concise" | undefined;
  /** The dialect to write in. */
  dialect?: string | undefined;
}

export interface ReplyDraft {
  /** The text. Nothing is sent. */
  draft: string;
  /** The knowledge sources that the draft uses. */
  sources: string[];
}

export interface ConversationSummary {
  summary: string;
  sentiment: string;
  intent: string;
}

export interface KnowledgeSource {
  /** The member that holds the source. */
  type?: "url" | "file" | "text" | undefined;
  /** The address of a page. */
  url?: string | undefined;
  /** A file uploaded by `POST /v1/media`. */
  media_id?: string | undefined;
  /** The text itself. */
  text?: string | undefined;
  /** The AI agents that may use the source. */
  ai_agent_ids?: string[] | undefined;
}

export interface KnowledgePassage {
  text: string;
  /** The name of the knowledge source. */
  source: string;
}

export interface KnowledgePassageList {
  data: KnowledgePassage[];
}

export interface Key {
  workspace_id: string;
  workspace_name: string;
  /** The label of the key. */
  environment: "test" | "live";
  /** The leading characters of the key. */
  key_prefix: string;
  scopes: string[];
}

export interface Workspace {
  id: string;
  name: string;
  industry?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  country?: string | undefined;
  /** An IANA name. */
  timezone?: string | undefined;
  language?: string | undefined;
  plan?: string | undefined;
}

export interface Wallet {
  /** The balance in minor units of the currency. */
  balance_minor: number;
  /** ISO 4217. */
  currency?: string | undefined;
}

export interface Usage {
  messages_sent: number;
  ai_credits: number;
  seats: number;
  conversations: {
    marketing: number;
    utility: number;
    service: number;
  };
}

export interface Channel {
  id: string;
  /** The type of the channel. Only `chatapp` is live. */
  type: "chatapp" | "instagram" | "messenger" | "sms" | "email" | "webchat";
  /** The status as the channel platform states it. */
  status?: string | undefined;
  name?: string | undefined;
  /** The phone number that contacts see. */
  display_phone?: string | undefined;
  /** The business name that the channel platform has verified. */
  verified_name?: string | undefined;
  /** The quality rating as the channel platform states it. */
  quality?: string | undefined;
  /** The business account at the channel platform. */
  waba_id?: string | undefined;
  /** The phone number at the channel platform. */
  phone_number_id?: string | undefined;
  /** When the channel was set up. ISO 8601, UTC. */
  created_at: string;
}

export interface ChannelList {
  data: Channel[];
}

export interface AnalyticsOverview {
  open: number;
  unreplied: number;
  unassigned: number;
  closed: number;
  /** The number of conversations by the id of their stage. */
  stages: Record<string, number>;
}

export interface ConversationAnalyticsRow {
  period?: string | undefined;
  new?: number | undefined;
  closed?: number | undefined;
  first_response_p50_seconds?: number | undefined;
  resolution_p50_seconds?: number | undefined;
  [name: string]: unknown;
}

export interface ConversationAnalytics {
  data: ConversationAnalyticsRow[];
}

export interface MessageAnalytics {
  sent: number;
  delivered: number;
  read: number;
  replied: number;
  failed: number;
}

export interface User {
  id: string;
  name?: string | undefined;
  email?: string | undefined;
  role?: string | undefined;
  teams: string[];
  status?: string | undefined;
  /** Whether round-robin assignment may choose this user. */
  available: boolean;
  /** When the user was last active. ISO 8601, UTC. */
  last_active_at?: string | undefined;
}

export interface UserList {
  data: User[];
}

export interface UserAvailability {
  /** `false`: round-robin assignment skips the user. */
  available?: boolean | undefined;
}

export interface Team {
  id: string;
  name: string;
  member_ids: string[];
}

export interface TeamList {
  data: Team[];
}

export interface Media {
  id: string;
  mime?: string | undefined;
  filename?: string | undefined;
  size_bytes?: number | undefined;
}

export interface WebhookEndpoint {
  id: string;
  /** The address that receives the events. */
  url: string;
  /** The event types to send, or `["*"]` for all. */
  events: string[];
  /** The service sets `false` after 3 days of consecutive failures. */
  enabled: boolean;
  /** The key of the signatures (`whsec_…`). Shown only when the endpoint is registered. */
  secret?: string | undefined;
  /** When the endpoint was registered. ISO 8601, UTC. */
  created_at: string;
  /** An extension: `full` adds the details to the `data` of each event, such as the sender and the file. `basic`, or absent: the contract alone. */
  event_data?: string | undefined;
}

export interface WebhookEndpointList {
  data: WebhookEndpoint[];
}

export interface WebhookEndpointCreate {
  /** The address that receives the events. */
  url: string;
  /** The event types to send, or `["*"]` for all. */
  events: string[];
  /** A note for people. */
  description?: string | undefined;
  /** An extension: `full` adds the details to the `data` of each event, such as the sender and the file. `basic`, or absent: the contract alone. */
  event_data?: string | undefined;
}

export interface WebhookEndpointUpdate {
  /** The address that receives the events. */
  url?: string | undefined;
  /** The event types to send, or `["*"]` for all. */
  events?: string[] | undefined;
  /** `true` resumes delivery. */
  enabled?: boolean | undefined;
  /** An extension: `full` adds the details to the `data` of each event, such as the sender and the file. `basic`, or absent: the contract alone. */
  event_data?: string | undefined;
}

export interface WebhookDelivery {
  id: string;
  event_id: string;
  event_type: string;
  /** 1 for the first attempt; 0 where the endpoint was disabled and the service made no attempt. */
  attempt: number;
  /** Absent when there was no response. */
  response_status?: number | undefined;
  duration_ms?: number | undefined;
  /** When the attempt that succeeded was made. Absent after a failed attempt. ISO 8601, UTC. */
  delivered_at?: string | undefined;
}

export interface WebhookDeliveryPage {
  /** Attempts of the last 30 days. */
  data: WebhookDelivery[];
  /** The `cursor` of the next page. Absent on the last page. */
  next_cursor?: string | undefined;
  /** Whether there is a next page. */
  has_more: boolean;
}

export interface EventEnvelope {
  /** The same on every attempt. */
  id: string;
  /** The event type. */
  type: string;
  /** The time of the event. ISO 8601, UTC. */
  created_at: string;
  workspace_id: string;
  /** The date of the contract that the event follows. */
  api_version: string;
  data: {
    [name: string]: unknown;
  };
}

export interface EventFeedPage {
  /** In the order of the feed, which never changes. */
  data: EventEnvelope[];
  /** The `after` of the next request. It is valid for 30 days. */
  next_position: string;
  /** Whether more events are stored already. */
  has_more: boolean;
}

export interface EventResend {
  /** Only to this webhook endpoint, whether the event was meant for it or not. */
  endpoint_id?: string | undefined;
}

export interface EventResendResult {
  /** How many deliveries were started. */
  deliveries: number;
}

export interface EventMessageDetails {
  /** The file, for `GET /v1/media/{media_id}`. */
  media_id?: string | undefined;
  filename?: string | undefined;
  mime?: string | undefined;
  size_bytes?: number | undefined;
  /** The earlier message that this message quotes. */
  reply_to_id?: string | undefined;
  /** The kind of sender that `actor_id` names. */
  actor_kind?: string | undefined;
  actor_id?: string | undefined;
  /** The reason of a failure, with the numeric code of the channel platform. */
  error?: string | undefined;
  /** The `id` of the button or row that the contact chose, or the payload of the quick reply of a template. */
  button_id?: string | undefined;
  /** The answers of a form that the contact submitted, in their order. */
  answers?: Array<{
    name: string;
    value: string;
  }> | undefined;
  /** The advertisement, post or product from which the contact wrote, as the channel platform describes it. */
  referral?: Record<string, never> | undefined;
  /** The order that the contact placed, with its catalogue and its products, as the channel platform describes it. */
  order?: Record<string, never> | undefined;
  /** The content of an interactive message that neither `button_id` nor `answers` tells, as the channel platform describes it. */
  interactive?: Record<string, never> | undefined;
  /** When the service stored the message. ISO 8601, UTC. */
  created_at?: string | undefined;
}

export interface EventContact {
  id: string;
  name?: string | undefined;
  channel_type?: string | undefined;
  /** The address of the contact in the conversation: for chatapp a phone number. */
  identifier?: string | undefined;
}

export interface MessageEventDetails {
  message?: EventMessageDetails | undefined;
  contact?: EventContact | undefined;
  channel?: {
    id: string;
  } | undefined;
  /** The broadcast that sent the message. */
  broadcast?: {
    id: string;
  } | undefined;
}

export interface MessageReceived {
  message: {
    id: string;
    /** `inbound` from the contact, `outbound` to the contact. */
    direction: string;
    /** The kind of the message. Only the team sees a `note`. */
    kind: "text" | "image" | "video" | "file" | "voice" | "template" | "location" | "interactive" | "reaction" | "note";
    /** The text, or the caption of media. */
    body?: string | undefined;
  };
  conversation: {
    id: string;
  };
}

export interface MessageStatusUpdated {
  message: {
    id: string;
    /** `inbound` from the contact, `outbound` to the contact. */
    direction: string;
    /** The kind of the message. Only the team sees a `note`. */
    kind: "text" | "image" | "video" | "file" | "voice" | "template" | "location" | "interactive" | "reaction" | "note";
    /** The text, or the caption of media. */
    body?: string | undefined;
    /** The delivery status. Absent on notes and on inbound messages. */
    status: "queued" | "sent" | "delivered" | "read" | "failed";
  };
  conversation: {
    id: string;
  };
}

export interface TemplateStatusUpdated {
  template: Template;
}

export interface ConversationEventDetails {
  contact?: EventContact | undefined;
  channel?: {
    id: string;
  } | undefined;
}

export interface ConversationAssigned {
  conversation: {
    id: string;
  };
  /** The user. `null`: nobody any more. */
  assignee_id?: string | null | undefined;
  /** The team. `null`: none any more. */
  team_id?: string | null | undefined;
  /** Who did it. The id of an `api_key` is that of the user who made it. */
  actor: {
    /** `user`, `api_key`, `workflow`, `ai_agent`, `contact` or `system`. */
    kind: string;
    id?: string | undefined;
  };
}

export interface ConversationClosed {
  conversation: {
    id: string;
  };
  /** The closing reason. */
  category_id?: string | undefined;
  summary?: string | undefined;
  /** Who did it. The id of an `api_key` is that of the user who made it. */
  actor: {
    /** `user`, `api_key`, `workflow`, `ai_agent`, `contact` or `system`. */
    kind: string;
    id?: string | undefined;
  };
}

export interface ConversationReopened {
  conversation: {
    id: string;
  };
  /** Who did it. The id of an `api_key` is that of the user who made it. */
  actor: {
    /** `user`, `api_key`, `workflow`, `ai_agent`, `contact` or `system`. */
    kind: string;
    id?: string | undefined;
  };
}

export interface ConversationHandedOver {
  conversation: {
    id: string;
  };
  /** `human` or `bot`. */
  controller: string;
  /** Who did it. The id of an `api_key` is that of the user who made it. */
  actor: {
    /** `user`, `api_key`, `workflow`, `ai_agent`, `contact` or `system`. */
    kind: string;
    id?: string | undefined;
  };
}

export interface NoteAdded {
  message: {
    id: string;
    body: string;
    /** The user, where known. */
    actor_id?: string | undefined;
  };
  conversation: {
    id: string;
  };
}

export interface ContactEventDetails {
  contact?: EventContact | undefined;
}

export interface ContactCreated {
  contact: {
    id: string;
  };
}

export interface ContactUpdated {
  contact: {
    id: string;
  };
  /** The names of the changed members. */
  changed: string[];
}

export interface ContactMerged {
  contact: {
    id: string;
  };
  source_contact_id: string;
}

export interface ContactErased {
  contact: {
    id: string;
  };
}

export interface BroadcastFinished {
  broadcast: {
    id: string;
    /** `sent` or `cancelled`. */
    status: string;
  };
}

export interface MediaReady {
  media: {
    id: string;
    mime: string;
    size_bytes: number;
  };
  message: {
    id: string;
  };
  conversation: {
    id: string;
  };
}

export interface TemplateQualityUpdated {
  template: {
    id: string;
    name: string;
    language: string;
    /** The rating. */
    quality: string | null;
  };
}

export interface ChannelStateUpdated {
  channel: {
    id: string;
    status?: string | undefined;
    quality?: string | undefined;
    /** Why the platform refuses every call. Absent: it does not. */
    fault?: string | undefined;
  };
}

export interface ListConversationMessagesQuery {
  /** The `next_cursor` of the previous page. Absent for the first page. */
  cursor?: string | undefined;
}

export interface ListTemplatesQuery {
  /** The review status at the channel platform. Only an `approved` template can be sent. */
  status?: "draft" | "pending" | "approved" | "rejected" | "paused" | "disabled" | undefined;
  /** Only templates in this language. */
  language?: string | undefined;
}

export interface ListConversationsQuery {
  /** A closed conversation refuses replies until reopened. */
  status?: "open" | "closed" | undefined;
  /** Only those of this user, or `none` for the unassigned ones. */
  assignee_id?: string | undefined;
  /** The type of the channel. Only `chatapp` is live. */
  channel_type?: "chatapp" | "instagram" | "messenger" | "sms" | "email" | "webchat" | undefined;
  /** Only those at this stage. */
  stage_id?: string | undefined;
  /** Only those that carry this tag. */
  tag?: string | undefined;
  /** Only those of this contact. */
  contact_id?: string | undefined;
  /** Text to find in the name of the contact. */
  q?: string | undefined;
  /** The largest number of entries to return. A page may be shorter; see `has_more`. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. Absent for the first page. */
  cursor?: string | undefined;
}

export interface ListContactsQuery {
  /** Text to find in the name, phone number or e-mail address. Forms of Arabic letters are equal. */
  q?: string | undefined;
  /** Only those that carry this tag. */
  tag?: string | undefined;
  /** Only those at this stage. */
  stage_id?: string | undefined;
  /** The type of the channel. Only `chatapp` is live. */
  channel_type?: "chatapp" | "instagram" | "messenger" | "sms" | "email" | "webchat" | undefined;
  /** The largest number of entries to return. A page may be shorter; see `has_more`. */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page. Absent for the first page. */
  cursor?: string | undefined;
}

export interface ListBroadcastsQuery {
  /** The `next_cursor` of the previous page. Absent for the first page. */
  cursor?: string | undefined;
}

export interface GetUsageQuery {
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
}

export interface GetConversationAnalyticsQuery {
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
  /** The length of the period of a row. */
  interval?: "day" | "week" | "month" | undefined;
  /** The dimension by which the rows are grouped. */
  group_by?: "channel" | "team" | "user" | "stage" | undefined;
}

export interface GetMessageAnalyticsQuery {
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
  /** Only messages of this template. */
  template?: string | undefined;
}

export interface ListWebhookDeliveriesQuery {
  /** The `next_cursor` of the previous page. Absent for the first page. */
  cursor?: string | undefined;
}

export interface SearchKnowledgeQuery {
  /** The text to search for. */
  q: string;
  /** The largest number of passages. Absent: 6. At most 20. */
  limit?: number | undefined;
}

export interface ListEventsQuery {
  /** A position: `next_position` of the last answer. Absent: the oldest stored event. `latest`: from now on. */
  after?: string | undefined;
  /** The types of events to return, with commas between them. Absent: the three types of the contract. */
  types?: string | undefined;
  /** The largest number of events to return. */
  limit?: number | undefined;
  /** How long to wait for the first event. At most 30 seconds. */
  wait_seconds?: number | undefined;
  /** An extension: `full` adds the details to the `data` of each event, such as the sender and the file. `basic`, or absent: the contract alone. */
  event_data?: string | undefined;
}

export interface GetEventQuery {
  /** An extension: `full` adds the details to the `data` of each event, such as the sender and the file. `basic`, or absent: the contract alone. */
  event_data?: string | undefined;
}

export interface MessagesResource {
  /**
   * Send a message to a recipient.
   *
   * Finds or creates the contact and the conversation of the recipient, stores the message and answers with `status` `queued`. Delivery follows by `message.status_updated` events. Outside the 24-hour window, and to a contact who has never written, only `kind` `template` is accepted. A marketing template needs the opt-in of the contact, `consents.chatapp_marketing`. A closed conversation is reopened.
   *
   * `POST /v1/messages`. Beta. Scope `messages:write`. At most 50 sends a second.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `window_closed`, `contact_blocked`, `bot_in_control`, `idempotency_conflict`, `unprocessable_content`, `template_not_found`, `media_not_found`, `content_too_large`.
   */
  send(params: MessageSend, options?: KeyedOptions): ApiPromise<Message>;

  /**
   * Read a message.
   *
   * The message with its latest status and, when it failed, the reason of the channel platform.
   *
   * `GET /v1/messages/{message_id}`. Beta.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`.
   */
  get(message_id: string, options?: RequestOptions): ApiPromise<Message>;
}

export interface ConversationsResource {
  /**
   * List the messages of a conversation.
   *
   * The first page holds the newest messages; later pages hold older ones. Within a page the oldest message comes first. Notes are listed among the messages.
   *
   * `GET /v1/conversations/{conversation_id}/messages`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`, `unprocessable_content`.
   */
  listMessages(conversation_id: string, params?: ListConversationMessagesQuery, options?: RequestOptions): PagePromise<Message>;

  /**
   * Reply in a conversation.
   *
   * Sends to the contact of the conversation, through its channel. Stores the message and answers with `status` `queued`; delivery follows by `message.status_updated` events. In a closed window only `kind` `template` is accepted. A closed conversation must be reopened first.
   *
   * `POST /v1/conversations/{conversation_id}/messages`. Available. Scope `messages:write`. At most 50 sends a second.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `not_found`, `window_closed`, `conversation_closed`, `contact_blocked`, `bot_in_control`, `idempotency_conflict`, `unprocessable_content`, `template_not_found`, `media_not_found`, `content_too_large`.
   */
  sendMessage(conversation_id: string, params: ConversationMessageSend, options?: KeyedOptions): ApiPromise<Message>;

  /**
   * List conversations.
   *
   * Conversations that meet all the given filters. A snoozed conversation is left out until it wakes.
   *
   * `GET /v1/conversations`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `unprocessable_content`.
   */
  list(params?: ListConversationsQuery, options?: RequestOptions): PagePromise<Conversation>;

  /**
   * Read a conversation.
   *
   * The conversation, with the end of its 24-hour window.
   *
   * `GET /v1/conversations/{conversation_id}`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`.
   */
  get(conversation_id: string, options?: RequestOptions): ApiPromise<Conversation>;

  /**
   * Assign a conversation.
   *
   * Assigns the conversation to a user, or to nobody.
   *
   * `POST /v1/conversations/{conversation_id}/assign`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`, `unprocessable_content`, `content_too_large`.
   */
  assign(conversation_id: string, params?: ConversationAssign, options?: RequestOptions): ApiPromise<Conversation>;

  /**
   * Close a conversation.
   *
   * Closes the conversation and records the reason and the summary, if given.
   *
   * `POST /v1/conversations/{conversation_id}/close`. Available. Scope `messages:write` with `send_csat`.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `not_found`, `unprocessable_content`, `content_too_large`.
   */
  close(conversation_id: string, params?: ConversationClose, options?: RequestOptions): ApiPromise<Conversation>;

  /**
   * Reopen a conversation.
   *
   * Opens a closed conversation again. Takes no body.
   *
   * `POST /v1/conversations/{conversation_id}/reopen`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`.
   */
  reopen(conversation_id: string, options?: RequestOptions): ApiPromise<Conversation>;

  /**
   * Set the stage of a conversation.
   *
   * Moves the conversation to a lifecycle stage, or clears its stage.
   *
   * `PUT /v1/conversations/{conversation_id}/stage`. Available. Scope `messages:write` where it starts a workflow.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `not_found`, `unprocessable_content`, `content_too_large`.
   */
  setStage(conversation_id: string, params?: ConversationStage, options?: RequestOptions): ApiPromise<Conversation>;

  /**
   * Hand a conversation over to a human or a bot.
   *
   * Gives control of the conversation to a human or to a bot. While a bot controls it, sends of users are refused with 409 `bot_in_control`.
   *
   * `POST /v1/conversations/{conversation_id}/handover`. Beta. Scope `messages:write` with `to` `bot`.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `not_found`, `unprocessable_content`, `content_too_large`.
   */
  handOver(conversation_id: string, params: ConversationHandover, options?: RequestOptions): ApiPromise<Conversation>;

  /**
   * Snooze a conversation.
   *
   * Hides the conversation until the given time, or until the contact writes again.
   *
   * `POST /v1/conversations/{conversation_id}/snooze`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`, `unprocessable_content`, `content_too_large`.
   */
  snooze(conversation_id: string, params: ConversationSnooze, options?: RequestOptions): ApiPromise<Conversation>;

  /**
   * Add a note to a conversation.
   *
   * Adds a note that the team sees and the contact never does. `@FirstName` in the text notifies that teammate.
   *
   * `POST /v1/conversations/{conversation_id}/notes`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`, `unprocessable_content`, `content_too_large`.
   */
  addNote(conversation_id: string, params: ConversationNote, options?: RequestOptions): ApiPromise<Message>;
}

export interface TemplatesResource {
  /**
   * List the templates.
   *
   * All templates of the workspace, or those of one status or language. The list is not paged.
   *
   * `GET /v1/chatapp/templates`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `unprocessable_content`.
   */
  list(params?: ListTemplatesQuery, options?: RequestOptions): ApiPromise<TemplateList>;

  /**
   * Create a template.
   *
   * Stores the template as `pending` and submits it to the review of the channel platform. The result arrives as a `template.status_updated` event, usually within minutes. The name of a deleted template is refused for 30 days.
   *
   * `POST /v1/chatapp/templates`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `unprocessable_content`, `content_too_large`.
   */
  create(params: TemplateCreate, options?: RequestOptions): ApiPromise<Template>;

  /**
   * Read a template.
   *
   * The template with its review history.
   *
   * `GET /v1/chatapp/templates/{template_id}`. Beta.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`.
   */
  get(template_id: string, options?: RequestOptions): ApiPromise<ReviewedTemplate>;

  /**
   * Delete a template.
   *
   * Removes the template here and at the channel platform. Its name cannot be used again for 30 days.
   *
   * `DELETE /v1/chatapp/templates/{template_id}`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`.
   */
  delete(template_id: string, options?: RequestOptions): ApiPromise<void>;
}

export interface ContactsResource {
  /**
   * List contacts.
   *
   * Contacts that meet all the given filters. A contact without activity is listed by its creation time.
   *
   * `GET /v1/contacts`. Available. Scope `contacts:read`.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `unprocessable_content`.
   */
  list(params?: ListContactsQuery, options?: RequestOptions): PagePromise<Contact>;

  /**
   * Create or update a contact.
   *
   * Updates the contact that owns one of the given identities, or creates one. Phone numbers are normalised to E.164; a local number of 8 digits gets the country of the workspace.
   *
   * `POST /v1/contacts`. Beta. Scope `contacts:write`. Scope `messages:write` where it starts a workflow.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `idempotency_conflict`, `unprocessable_content`, `content_too_large`.
   */
  upsert(params: ContactUpsert, options?: KeyedOptions): ApiPromise<Contact>;

  /**
   * Import contacts.
   *
   * Creates or updates up to 1,000 contacts, in the given order and each as by `POST /v1/contacts`. Invalid rows are reported in `failed`, and the other rows are imported.
   *
   * `POST /v1/contacts/import`. Available. Scope `contacts:write`. Scope `messages:write` where it starts a workflow. At most 10 imports a minute.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `unprocessable_content`, `content_too_large`.
   */
  import(params: ContactImport, options?: RequestOptions): ApiPromise<ContactImportResult>;

  /**
   * Read a contact.
   *
   * The contact with its identities.
   *
   * `GET /v1/contacts/{contact_id}`. Available. Scope `contacts:read`.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `not_found`.
   */
  get(contact_id: string, options?: RequestOptions): ApiPromise<Contact>;

  /**
   * Update a contact.
   *
   * Changes the given members and keeps the others.
   *
   * `PATCH /v1/contacts/{contact_id}`. Available. Scope `contacts:write`. Scope `messages:write` where it starts a workflow.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `not_found`, `unprocessable_content`, `content_too_large`.
   */
  update(contact_id: string, params?: ContactUpdate, options?: RequestOptions): ApiPromise<Contact>;

  /**
   * Erase a contact.
   *
   * Permanently erases the contact, its identities and the history of its conversations.
   *
   * `DELETE /v1/contacts/{contact_id}`. Coming soon. Scope `contacts:write`.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `not_found`.
   */
  delete(contact_id: string, options?: RequestOptions): ApiPromise<void>;

  /**
   * Merge another contact into this one.
   *
   * Moves identities, tags and conversations of the source to this contact and deletes the source.
   *
   * `POST /v1/contacts/{contact_id}/merge`. Coming soon. Scope `contacts:write`. Scope `messages:write` where it starts a workflow.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `not_found`, `unprocessable_content`, `content_too_large`.
   */
  merge(contact_id: string, params: ContactMerge, options?: RequestOptions): ApiPromise<Contact>;
}

export interface CustomFieldsResource {
  /**
   * List the custom fields.
   *
   * The definitions of all custom fields of contacts.
   *
   * `GET /v1/custom-fields`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`.
   */
  list(options?: RequestOptions): ApiPromise<CustomFieldList>;

  /**
   * Define a custom field.
   *
   * Defines a custom field, so that contacts may have a value under its key.
   *
   * `POST /v1/custom-fields`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `unprocessable_content`, `content_too_large`.
   */
  create(params: CustomFieldCreate, options?: RequestOptions): ApiPromise<CustomField>;
}

export interface TagsResource {
  /**
   * List the tags.
   *
   * Every tag in use, with the number of contacts that carry it.
   *
   * `GET /v1/tags`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`.
   */
  list(options?: RequestOptions): ApiPromise<TagList>;
}

export interface StagesResource {
  /**
   * List the lifecycle stages.
   *
   * All stages, in order. The answer is a plain array.
   *
   * `GET /v1/stages`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`.
   */
  list(options?: RequestOptions): ApiPromise<StageList>;
}

export interface WorkflowsResource {
  /**
   * List the workflows.
   *
   * All workflows of the workspace.
   *
   * `GET /v1/workflows`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`.
   */
  list(options?: RequestOptions): ApiPromise<WorkflowList>;

  /**
   * Set the status of a workflow.
   *
   * Publishes the workflow, pauses it, or makes it a draft.
   *
   * `POST /v1/workflows/{workflow_id}/status`. Available. Scope `messages:write` with `status` `published`.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `not_found`, `unprocessable_content`, `content_too_large`.
   */
  setStatus(workflow_id: string, params: WorkflowStatusChange, options?: RequestOptions): ApiPromise<Workflow>;

  /**
   * Start a workflow for a contact.
   *
   * Starts a workflow whose trigger is an API call, for one contact. Finds or creates the contact.
   *
   * `POST /v1/workflows/{workflow_id}/runs`. Coming soon. Scope `messages:write`.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `not_found`, `idempotency_conflict`, `unprocessable_content`, `content_too_large`.
   */
  startRun(workflow_id: string, params: WorkflowRunStart, options?: KeyedOptions): ApiPromise<WorkflowRun>;
}

export interface BroadcastsResource {
  /**
   * List broadcasts.
   *
   * The broadcasts of the workspace, page by page.
   *
   * `GET /v1/broadcasts`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `unprocessable_content`.
   */
  list(params?: ListBroadcastsQuery, options?: RequestOptions): PagePromise<Broadcast>;

  /**
   * Create a broadcast.
   *
   * Sends a template to an audience, now or at the given time. Messages are paced to stay inside the messaging tier of the number.
   *
   * `POST /v1/broadcasts`. Coming soon. Scope `messages:write`. At most 10 new broadcasts an hour.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `insufficient_scope`, `idempotency_conflict`, `unprocessable_content`, `template_not_found`, `content_too_large`.
   */
  create(params: BroadcastCreate, options?: KeyedOptions): ApiPromise<Broadcast>;

  /**
   * Read a broadcast.
   *
   * The broadcast with its live counts.
   *
   * `GET /v1/broadcasts/{broadcast_id}`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`.
   */
  get(broadcast_id: string, options?: RequestOptions): ApiPromise<Broadcast>;

  /**
   * Cancel a broadcast.
   *
   * Stops a scheduled or sending broadcast. Messages that were sent already are not recalled. Takes no body.
   *
   * `POST /v1/broadcasts/{broadcast_id}/cancel`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`.
   */
  cancel(broadcast_id: string, options?: RequestOptions): ApiPromise<Broadcast>;
}

export interface AiResource {
  /**
   * List the AI agents.
   *
   * All AI agents of the workspace.
   *
   * `GET /v1/ai/agents`. Beta.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`.
   */
  listAgents(options?: RequestOptions): ApiPromise<AiAgentList>;

  /**
   * Draft a reply.
   *
   * Drafts the next reply of the conversation. Nothing is sent.
   *
   * `POST /v1/conversations/{conversation_id}/ai/compose`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`, `unprocessable_content`, `content_too_large`.
   */
  composeReply(conversation_id: string, params?: ReplyCompose, options?: RequestOptions): ApiPromise<ReplyDraft>;

  /**
   * Summarise a conversation.
   *
   * The summary of the conversation, and the mood and the wish of the contact. Takes no body.
   *
   * `POST /v1/conversations/{conversation_id}/ai/summary`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`.
   */
  summarizeConversation(conversation_id: string, options?: RequestOptions): ApiPromise<ConversationSummary>;

  /**
   * Add a knowledge source.
   *
   * Accepts a page, a file or a text for indexing, so that AI agents can use it.
   *
   * `POST /v1/ai/knowledge-sources`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `unprocessable_content`, `media_not_found`, `content_too_large`.
   */
  addKnowledgeSource(params?: KnowledgeSource, options?: RequestOptions): ApiPromise<void>;

  /**
   * Search the knowledge.
   *
   * The passages of the knowledge sources that share the most words with the text, the best first.
   *
   * `GET /v1/ai/knowledge-sources/search`. An extension, not part of the contract. Beta.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `unprocessable_content`.
   */
  searchKnowledge(params: SearchKnowledgeQuery, options?: RequestOptions): ApiPromise<KnowledgePassageList>;
}

export interface WorkspaceResource {
  /**
   * Read the API key.
   *
   * The workspace, the environment and the scopes of the key in the request.
   *
   * `GET /v1/me`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`.
   */
  getKey(options?: RequestOptions): ApiPromise<Key>;

  /**
   * Read the workspace.
   *
   * The workspace of the key.
   *
   * `GET /v1/workspace`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`.
   */
  get(options?: RequestOptions): ApiPromise<Workspace>;

  /**
   * Read the wallet.
   *
   * The prepaid balance that pays the conversation fees of the channel platform.
   *
   * `GET /v1/wallet`. Beta.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`.
   */
  getWallet(options?: RequestOptions): ApiPromise<Wallet>;

  /**
   * Read the usage of a period.
   *
   * Messages, AI credits, seats and platform conversations from one date to another.
   *
   * `GET /v1/usage`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `unprocessable_content`.
   */
  getUsage(params: GetUsageQuery, options?: RequestOptions): ApiPromise<Usage>;
}

export interface ChannelsResource {
  /**
   * List the channels.
   *
   * All channels of the workspace.
   *
   * `GET /v1/channels`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`.
   */
  list(options?: RequestOptions): ApiPromise<ChannelList>;

  /**
   * Read a channel.
   *
   * The channel with its status at the channel platform.
   *
   * `GET /v1/channels/{channel_id}`. Beta.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`.
   */
  get(channel_id: string, options?: RequestOptions): ApiPromise<Channel>;
}

export interface AnalyticsResource {
  /**
   * Count the conversations.
   *
   * The current numbers of open, unreplied, unassigned and closed conversations, and of conversations at each stage.
   *
   * `GET /v1/analytics/overview`. Beta. At most 60 analytics requests a minute.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`.
   */
  getOverview(options?: RequestOptions): ApiPromise<AnalyticsOverview>;

  /**
   * Analyse the conversations of a period.
   *
   * New and closed conversations and the median times of first response and resolution, one row for each period.
   *
   * `GET /v1/analytics/conversations`. Coming soon. At most 60 analytics requests a minute.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `unprocessable_content`.
   */
  getConversations(params: GetConversationAnalyticsQuery, options?: RequestOptions): ApiPromise<ConversationAnalytics>;

  /**
   * Analyse the messages of a period.
   *
   * The numbers of sent, delivered, read, replied and failed messages, of all templates or of one.
   *
   * `GET /v1/analytics/messages`. Coming soon. At most 60 analytics requests a minute.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `unprocessable_content`.
   */
  getMessages(params: GetMessageAnalyticsQuery, options?: RequestOptions): ApiPromise<MessageAnalytics>;
}

export interface UsersResource {
  /**
   * List the users.
   *
   * All users of the workspace.
   *
   * `GET /v1/users`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`.
   */
  list(options?: RequestOptions): ApiPromise<UserList>;

  /**
   * Set whether a user is available.
   *
   * Round-robin assignment skips an unavailable user.
   *
   * `PUT /v1/users/{user_id}/availability`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`, `unprocessable_content`, `content_too_large`.
   */
  setAvailability(user_id: string, params?: UserAvailability, options?: RequestOptions): ApiPromise<User>;
}

export interface TeamsResource {
  /**
   * List the teams.
   *
   * All teams of the workspace, with their members.
   *
   * `GET /v1/teams`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`.
   */
  list(options?: RequestOptions): ApiPromise<TeamList>;
}

export interface MediaResource {
  /**
   * Upload a file.
   *
   * Stores a file to send by `media_id`. Limits: image 5 MB, video and audio 16 MB, document 100 MB. File types by kind of message: `image` JPEG and PNG; `video` (coming soon) MP4 and 3GPP; `voice` OGG/Opus, AAC, MP3 and AMR; `file` PDF, Office documents and any other type.
   *
   * `POST /v1/media`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `content_too_large`, `unprocessable_content`.
   */
  upload(file: Upload, options?: RequestOptions): ApiPromise<Media>;

  /**
   * Download a file.
   *
   * The raw bytes of an uploaded file or of a file that a contact sent.
   *
   * `GET /v1/media/{media_id}`. Available.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`.
   */
  download(media_id: string, options?: RequestOptions): ApiPromise<Response>;
}

export interface WebhookEndpointsResource {
  /**
   * List the webhook endpoints.
   *
   * All webhook endpoints of the workspace, without their secrets.
   *
   * `GET /v1/webhook-endpoints`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`.
   */
  list(options?: RequestOptions): ApiPromise<WebhookEndpointList>;

  /**
   * Register a webhook endpoint.
   *
   * Registers an address for events. The answer holds the secret that signs the requests. No other answer shows it.
   *
   * `POST /v1/webhook-endpoints`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `unprocessable_content`, `content_too_large`.
   */
  create(params: WebhookEndpointCreate, options?: RequestOptions): ApiPromise<WebhookEndpoint>;

  /**
   * Update a webhook endpoint.
   *
   * Changes the given members. `enabled` `true` resumes delivery.
   *
   * `PATCH /v1/webhook-endpoints/{endpoint_id}`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`, `unprocessable_content`, `content_too_large`.
   */
  update(endpoint_id: string, params?: WebhookEndpointUpdate, options?: RequestOptions): ApiPromise<WebhookEndpoint>;

  /**
   * Delete a webhook endpoint.
   *
   * Removes the endpoint. It receives no further events.
   *
   * `DELETE /v1/webhook-endpoints/{endpoint_id}`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`.
   */
  delete(endpoint_id: string, options?: RequestOptions): ApiPromise<void>;

  /**
   * Test a webhook endpoint.
   *
   * Posts one signed test event to the endpoint and answers with the attempt. Takes no body.
   *
   * `POST /v1/webhook-endpoints/{endpoint_id}/test`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`.
   */
  test(endpoint_id: string, options?: RequestOptions): ApiPromise<WebhookDelivery>;

  /**
   * List the delivery attempts of a webhook endpoint.
   *
   * The attempts of the last 30 days, for debugging and manual replay.
   *
   * `GET /v1/webhook-endpoints/{endpoint_id}/deliveries`. Coming soon.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`, `unprocessable_content`.
   */
  listDeliveries(endpoint_id: string, params?: ListWebhookDeliveriesQuery, options?: RequestOptions): PagePromise<WebhookDelivery>;
}

export interface EventsResource {
  /**
   * Read the feed of events.
   *
   * The events of the workspace in one order that never changes, for receivers without a public address and for those that were away. No event appears before a position that was returned, so a reader that continues behind `next_position` misses none. With `wait_seconds` the answer waits for the next event. With `Accept: text/event-stream` the answer is a stream: each event has its position as `id`, and `Last-Event-ID` continues behind it.
   *
   * `GET /v1/events`. An extension, not part of the contract. Beta.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `unprocessable_content`, `position_too_old`.
   */
  list(params?: ListEventsQuery, options?: RequestOptions): ApiPromise<EventFeedPage>;

  /**
   * Read an event.
   *
   * The envelope of the event as receivers get it. Events are stored for 30 days.
   *
   * `GET /v1/events/{event_id}`. An extension, not part of the contract. Beta.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`, `unprocessable_content`.
   */
  get(event_id: string, params?: GetEventQuery, options?: RequestOptions): ApiPromise<EventEnvelope>;

  /**
   * Deliver an event once more.
   *
   * Starts the delivery to each enabled webhook endpoint that the event was meant for, or to the named one, again with the whole schedule of attempts. The event keeps its id.
   *
   * `POST /v1/events/{event_id}/resend`. An extension, not part of the contract. Beta.
   * Refusals: `unauthorized`, `rate_limited`, `internal_server_error`, `service_unavailable`, `not_found`, `unprocessable_content`, `content_too_large`.
   */
  resend(event_id: string, params?: EventResend, options?: RequestOptions): ApiPromise<EventResendResult>;
}

/** All operations, by resource. */
export interface Resources {
  readonly messages: MessagesResource;
  readonly conversations: ConversationsResource;
  readonly templates: TemplatesResource;
  readonly contacts: ContactsResource;
  readonly customFields: CustomFieldsResource;
  readonly tags: TagsResource;
  readonly stages: StagesResource;
  readonly workflows: WorkflowsResource;
  readonly broadcasts: BroadcastsResource;
  readonly ai: AiResource;
  readonly workspace: WorkspaceResource;
  readonly channels: ChannelsResource;
  readonly analytics: AnalyticsResource;
  readonly users: UsersResource;
  readonly teams: TeamsResource;
  readonly media: MediaResource;
  readonly webhookEndpoints: WebhookEndpointsResource;
  readonly events: EventsResource;
}

/** The `data` of each type of event. */
export interface EventData {
  /** A contact sent a message. The service stored an inbound message. */
  'message.received': MessageReceived & MessageEventDetails;
  /** The status of a message changed. The delivery status of a message changed. A status that the platform skipped has no event. */
  'message.status_updated': MessageStatusUpdated & MessageEventDetails;
  /** A template was reviewed. The channel platform changed the status of a template. */
  'template.status_updated': TemplateStatusUpdated;
  /** A conversation was assigned. The user or the team of a conversation changed. Only the members that changed are present. */
  'conversation.assigned': ConversationAssigned & ConversationEventDetails;
  /** A conversation was closed. With the reason and the summary, if given. */
  'conversation.closed': ConversationClosed & ConversationEventDetails;
  /** A conversation was reopened. By a user, or by a message of the contact or of the business. */
  'conversation.reopened': ConversationReopened & ConversationEventDetails;
  /** A conversation was handed over. The side that answers changed, or another bot took over. */
  'conversation.handed_over': ConversationHandedOver & ConversationEventDetails;
  /** A note was added. Only the team sees notes. */
  'note.added': NoteAdded & MessageEventDetails;
  /** A contact was created. By a request, an import or a message. */
  'contact.created': ContactCreated & ContactEventDetails;
  /** A contact was changed. The values are read by `GET /v1/contacts/{contact_id}`. */
  'contact.updated': ContactUpdated & ContactEventDetails;
  /** Two contacts were merged. The source is deleted. Its identities, tags and conversations moved to the contact. */
  'contact.merged': ContactMerged & ContactEventDetails;
  /** A contact was erased. Erase what you hold of this contact. The event outlives the erasure, and has the id alone. */
  'contact.erased': ContactErased;
  /** A broadcast has no message left to send. Its last messages may still be under way: the counts are read by `GET /v1/broadcasts/{broadcast_id}`. */
  'broadcast.finished': BroadcastFinished;
  /** The file of a message is here. A file that a contact sent can be downloaded. */
  'media.ready': MediaReady & MessageEventDetails;
  /** The quality of a template changed. The rating of the channel platform, as it came. */
  'template.quality_updated': TemplateQualityUpdated;
  /** A channel got into trouble, or out of it. The status or the quality that the channel platform reports changed, or the platform began or ceased to refuse every call of the channel. */
  'channel.state_updated': ChannelStateUpdated;
}

/** The codes of the refusals, by HTTP status. The catalogue is closed. */
export interface CodesByStatus {
  401: 'unauthorized';
  403: 'insufficient_scope';
  404: 'not_found';
  405: 'method_not_allowed';
  409: 'window_closed' | 'conversation_closed' | 'contact_blocked' | 'bot_in_control' | 'idempotency_conflict';
  413: 'content_too_large';
  422: 'unprocessable_content' | 'template_not_found' | 'media_not_found';
  429: 'rate_limited';
  500: 'internal_server_error';
  503: 'service_unavailable';
  410: 'position_too_old';
}

/** The reason of a refusal. */
export type ErrorCode = CodesByStatus[keyof CodesByStatus];
