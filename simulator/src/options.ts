import type { TemplateOptions } from './templates/graph-template.ts';

export type WebhookOptions = {
  /** Receives the notifications. */
  callback_url: string;
  /** Signs them (`X-Hub-Signature-256`). */
  app_secret: string;
  /** Sent with the verification GET. */
  verify_token: string;
};

export type NumberOptions = {
  phone_number_id: string;
  waba_id: string;
  display_phone: string;
  verified_name: string;
  access_token: string;
  /** Unique users in 24 hours, or the platform's name (`TIER_1K`). */
  messaging_tier?: number | string;
  /** Overrides the simulator's `webhook`. */
  webhook?: Partial<WebhookOptions>;
};

/** Milliseconds from acceptance; null disables that status. */
export type Delays = {
  sent_ms: number | null;
  delivered_ms: number | null;
  read_ms: number | null;
  /** Between a template's creation and its review. */
  review_ms: number | null;
};

export type SimulatorOptions = {
  /** 0 takes any free port. */
  port: number;
  /** The address to listen on: this machine alone (127.0.0.1) by default. */
  host?: string;
  /** The bearer token of the control API; random by default. */
  control_token?: string;
  webhook?: WebhookOptions;
  numbers?: NumberOptions[];
  templates?: TemplateOptions[];
  /** null disables all statuses, for benchmarks. */
  delays?: Partial<Delays> | null;
  switches?: Partial<Switches>;
  /** Makes ids, jitter and duplicates repeatable. */
  seed?: number;
  /** The most messages and chats in memory. The ledger keeps older sends without their body. */
  keep?: number;
  /** The file that keeps chats, open windows and templates over a restart. */
  state_file?: string;
  /** The most bytes of media in memory. */
  keep_media_bytes?: number;
  /** The real clock. */
  now?: () => number;
  /** Version segment of `api_url`. */
  version?: string;
};

export type Switches = {
  /** Numbers order failures (`scripts.ts`). */
  scripts: boolean;
  /** Personas answer and write (`customer/play-personas.ts`). */
  personas: boolean;
  /** Non-template messages outside the 24 hours fail with 131047. */
  window: boolean;
  /** More than `throughput_per_second` messages on a number are refused with 130429. */
  throughput: boolean;
  throughput_per_second: number;
  /** More than 45 messages at once, or one in 6 s, to one user are refused with 131056. */
  pair_rate: boolean;
  /** More than 200 or 5,000 management calls an hour on a business account are refused with 80007. */
  management_rate: boolean;
  /** The most that a status is randomly late, as a share of its delay (0 to 1). */
  jitter: number;
  /** The probability that a webhook is posted twice. */
  duplicate_webhooks: number;
  /** The most items of one webhook. */
  batch_max: number;
  /** How long items are collected; 0: while all connections are busy. */
  batch_wait_ms: number;
  webhook_connections: number;
  webhook_timeout_ms: number;
  /** The first delay before a retry of a webhook not answered 200; it doubles each time. */
  retry_base_ms: number;
  retry_max_ms: number;
  retry_for_ms: number;
  slow_answer_ms: number;
  /** How long `held_for_quality_assessment` lasts. */
  held_ms: number;
  /** `conversation` in statuses: by the version of the send call, always or never. */
  conversation: 'by_version' | 'always' | 'never';
  /** `pricing` in statuses: per message, or per conversation of 24 hours as before July 2025. */
  pricing: 'per_message' | 'per_conversation' | 'never';
  /** `contacts` in statuses. */
  status_contacts: 'without_profile' | 'with_profile' | 'none';
  /** `user_id` (business-scoped user ids) in webhooks and answers. */
  user_ids: boolean;
  /** `url` in inbound media objects. */
  media_urls: boolean;
  file_size: 'string' | 'integer';
  /** Account ids by dialled number where they differ (Brazil, Mexico, Argentina). */
  aliases: Record<string, string>;
};

export const defaultDelays: Delays = { sent_ms: 150, delivered_ms: 500, read_ms: 1_500, review_ms: 2_000 };

export const silentDelays: Delays = { sent_ms: null, delivered_ms: null, read_ms: null, review_ms: null };

export const defaultSwitches: Switches = {
  scripts: true,
  personas: true,
  window: true,
  throughput: false,
  throughput_per_second: 80,
  pair_rate: false,
  management_rate: false,
  jitter: 0,
  duplicate_webhooks: 0,
  batch_max: 100,
  batch_wait_ms: 0,
  webhook_connections: 16,
  webhook_timeout_ms: 10_000,
  retry_base_ms: 1_000,
  retry_max_ms: 3_600_000,
  retry_for_ms: 36 * 3_600_000,
  slow_answer_ms: 3_000,
  held_ms: 3_000,
  conversation: 'by_version',
  pricing: 'per_message',
  status_contacts: 'without_profile',
  user_ids: true,
  media_urls: false,
  file_size: 'string',
  aliases: {},
};
