import { createHmac } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Pool } from 'undici';
import { buildTolerantConnector } from '../outbound/accept-continue.ts';
import { exchange } from '../outbound/exchange.ts';
import type { AccountAccess, NumberAccess } from './access.ts';
import { type Sample, type SampleRequest, uploadSample } from './media/upload-sample.ts';
import type { PlatformNumber } from './number.ts';
import type { OutboundMessage, SendRoute } from './outbound-message.ts';
import { readAnswer } from './read-answer.ts';
import { readArray, readId, readMember } from './read-json.ts';
import { readNumber } from './read-number.ts';
import { redact } from './redact.ts';
import { composeMessage } from './send/compose-message.ts';
import { composeTemplate } from './send/compose-template.ts';
import { readSendOutcome } from './send/read-send-outcome.ts';
import type { SendOutcome } from './send-outcome.ts';
import type { NewTemplate, PlatformTemplate, TemplateCreation, TemplateFailure } from './template.ts';
import { collectTemplates } from './templates/collect-templates.ts';
import { readTemplateCreation, readTemplateFailure } from './templates/read-template-outcome.ts';

export interface PlatformClientOptions {
  /** With the version segment: `https://graph.facebook.com/v24.0`. */
  base_url: string;
  /** Bounds one whole call, with its wait for a connection. */
  timeout_ms: number;
  /** At least the number of concurrent calls: otherwise a slow call delays the calls of other tenants. */
  connections?: number;
}

export interface PlatformClient {
  /** Never throws, and never writes a request twice. */
  sendMessage(channel: NumberAccess, message: OutboundMessage, route?: SendRoute): Promise<SendOutcome>;
  /** Lists all templates, or those whose name contains `name`. Throws `PlatformRefusal` where the list is incomplete. */
  listTemplates(account: AccountAccess, name?: string): Promise<PlatformTemplate[]>;
  /** Never throws. A repeated call answers `exists`. */
  createTemplate(account: AccountAccess, template: NewTemplate): Promise<TemplateCreation>;
  /** Uploads the sample file of a header. Never throws. */
  uploadSample(account: AccountAccess, sample: Sample): Promise<{ type: 'uploaded'; handle: string } | TemplateFailure>;
  /** Deletes one language of a name. Never throws, never answers `exists`. */
  deleteTemplate(account: AccountAccess, template: TemplateKey): Promise<{ type: 'deleted' } | TemplateFailure>;
  /** Throws `PlatformRefusal`. With `app_secret`, the platform refuses a secret of another app than that of the token. */
  getPhoneNumber(channel: NumberAccess, app_secret?: string): Promise<PlatformNumber>;
  /** Whether the account has the number. Throws `PlatformRefusal`. */
  hasNumber(account: AccountAccess, phone_number_id: string): Promise<boolean>;
  /** Whether the app of the token gets the account's notifications. Throws `PlatformRefusal`. */
  isSubscribed(account: AccountAccess): Promise<boolean>;
  /** Lets the app of the token get the account's notifications. Throws `PlatformRefusal`. */
  subscribe(account: AccountAccess): Promise<void>;
  /** Waits for calls under way. */
  close(): Promise<void>;
}

/** Identifies a template at the platform. */
export interface TemplateKey {
  platform_template_id: string;
  name: string;
}

interface PlatformRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Without the version segment. */
  path: string;
  headers: Record<string, string>;
  body: string | Readable | null;
  timeout_ms?: number;
}

export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const base = new URL(options.base_url);
  const pool = createPool(base.origin, options);
  const send = ({ method, path, headers, body, timeout_ms = options.timeout_ms }: PlatformRequest) =>
    exchange(
      pool,
      {
        method,
        path: base.pathname.replace(/\/$/, '') + path,
        headers: { ...headers, accept: 'application/json', 'user-agent': 'majlis' },
        body,
      },
      { timeout_ms, max_answer_bytes: MAX_ANSWER_BYTES },
    );
  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, access_token: string, body?: unknown) =>
    send({
      method,
      path,
      headers: {
        authorization: `Bearer ${access_token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });

  return {
    async sendMessage({ phone_number_id, access_token }, message, route = 'messages') {
      const path = `/${encodeURIComponent(phone_number_id)}/${route}`;
      const outcome = readSendOutcome(await call('POST', path, access_token, composeMessage(message)));
      return outcome.type === 'refused' ? { ...outcome, error: redact(outcome.error, access_token) } : outcome;
    },
    async listTemplates({ waba_id, access_token }, name) {
      return collectTemplates(async (after) => {
        const filters = { ...(name !== undefined && { name }), ...(after && { after }) };
        const query = new URLSearchParams({ fields: TEMPLATE_FIELDS, limit: '100', ...filters });
        return readAnswer(await call('GET', `${templatesOf(waba_id)}?${query}`, access_token), access_token);
      });
    },
    async createTemplate({ waba_id, access_token }, template) {
      try {
        const answer = await call('POST', templatesOf(waba_id), access_token, composeTemplate(template));
        return readTemplateCreation(readAnswer(answer, access_token));
      } catch (failure) {
        return readTemplateFailure(failure);
      }
    },
    async uploadSample(account, sample) {
      try {
        const upload = ({ size_bytes, ...request }: SampleRequest) =>
          send({ ...request, timeout_ms: options.timeout_ms + size_bytes / LEAST_BYTES_PER_MS });
        return { type: 'uploaded', handle: await uploadSample(upload, account, sample) };
      } catch (failure) {
        return readTemplateFailure(failure);
      }
    },
    async deleteTemplate({ waba_id, access_token }, { platform_template_id, name }) {
      try {
        const query = new URLSearchParams({ hsm_id: platform_template_id, name });
        readAnswer(await call('DELETE', `${templatesOf(waba_id)}?${query}`, access_token), access_token);
        return { type: 'deleted' };
      } catch (failure) {
        return readTemplateFailure(failure);
      }
    },
    async getPhoneNumber({ phone_number_id, access_token }, app_secret) {
      const proof = app_secret !== undefined && `&appsecret_proof=${proofOf(access_token, app_secret)}`;
      const path = `/${encodeURIComponent(phone_number_id)}?fields=${NUMBER_FIELDS}${proof || ''}`;
      return readNumber(readAnswer(await call('GET', path, access_token), access_token), phone_number_id);
    },
    async hasNumber({ waba_id, access_token }, phone_number_id) {
      // An account has 20 numbers at most by default, and some hundreds by arrangement.
      const path = `/${encodeURIComponent(waba_id)}/phone_numbers?fields=id&limit=500`;
      const { data } = readAnswer(await call('GET', path, access_token), access_token);
      return readArray(data).some((one) => readId(readMember(one, 'id')) === phone_number_id);
    },
    async isSubscribed({ waba_id, access_token }) {
      const { data } = readAnswer(await call('GET', subscriptionsOf(waba_id), access_token), access_token);
      return readArray(data).length > 0;
    },
    async subscribe({ waba_id, access_token }) {
      readAnswer(await call('POST', subscriptionsOf(waba_id), access_token, {}), access_token);
    },
    close: () => pool.close(),
  };
}

function templatesOf(waba_id: string): string {
  return `/${encodeURIComponent(waba_id)}/message_templates`;
}

function subscriptionsOf(waba_id: string): string {
  return `/${encodeURIComponent(waba_id)}/subscribed_apps`;
}

/** The platform's proof that a caller with a token knows the secret of the token's app. */
function proofOf(access_token: string, app_secret: string): string {
  return createHmac('sha256', app_secret).update(access_token).digest('hex');
}

// The slowest connection that an upload waits for: 64 kB/s.
const LEAST_BYTES_PER_MS = 64;
const MAX_ANSWER_BYTES = 1024 * 1024;
const TEMPLATE_FIELDS = 'id,name,language,status,category,components,parameter_format,rejected_reason,quality_score';
const NUMBER_FIELDS =
  'id,display_phone_number,verified_name,quality_rating,status,whatsapp_business_manager_messaging_limit,messaging_limit_tier';

/**
 * A server that closes a connection during a write leaves the outcome unknown. So connections are dropped early: after 4 s
 * idle, or 2 s before the announced end (`Keep-Alive: timeout`). Without pipelining and HTTP/2, a broken connection leaves
 * one message in doubt at most.
 */
function createPool(origin: string, { timeout_ms, connections = 2_048 }: PlatformClientOptions): Pool {
  return new Pool(origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    connect: buildTolerantConnector({ timeout: Math.min(timeout_ms, 10_000), allowH2: false }),
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    keepAliveTimeoutThreshold: 2_000,
  });
}
