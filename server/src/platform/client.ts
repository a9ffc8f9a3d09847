import type { Readable } from 'node:stream';
import { Pool } from 'undici';
import { exchange } from '../outbound/exchange.ts';
import { type Sample, type SampleRequest, uploadSample } from './media/upload-sample.ts';
import { readAnswer } from './read-answer.ts';
import { readNumber } from './read-number.ts';
import { redact } from './redact.ts';
import { composeMessage } from './send/compose-message.ts';
import { composeTemplate } from './send/compose-template.ts';
import { readSendOutcome } from './send/read-send-outcome.ts';
import { collectTemplates } from './templates/collect-templates.ts';
import { readTemplateCreation, readTemplateFailure } from './templates/read-template-outcome.ts';
import type {
  AccountAccess,
  NewTemplate,
  NumberAccess,
  OutboundMessage,
  PlatformNumber,
  PlatformTemplate,
  SendOutcome,
  TemplateCreation,
  TemplateFailure,
} from './types.ts';

export interface PlatformClientOptions {
  /** Version segment included: `https://graph.facebook.com/v24.0`. */
  base_url: string;
  /** For one call as a whole, waiting for a connection included. */
  timeout_ms: number;
  /** As many as there can be calls at once: a call that waits for another's connection waits for a stranger's trouble. */
  connections?: number;
}

export interface PlatformClient {
  /** Never throws, and never writes a request twice. */
  sendMessage(channel: NumberAccess, message: OutboundMessage): Promise<SendOutcome>;
  /** All of them, or all with a name like this: throws `PlatformRefusal` rather than give a part. */
  listTemplates(account: AccountAccess, name?: string): Promise<PlatformTemplate[]>;
  /** Never throws. Made twice, the platform has it once: the second time it `exists`. */
  createTemplate(account: AccountAccess, template: NewTemplate): Promise<TemplateCreation>;
  /** Gives the platform the sample of a header that is a file. Never throws. */
  uploadSample(account: AccountAccess, sample: Sample): Promise<{ type: 'uploaded'; handle: string } | TemplateFailure>;
  /** One language of a name. Never throws; `exists` is not among its failures. */
  deleteTemplate(account: AccountAccess, template: TemplateKey): Promise<{ type: 'deleted' } | TemplateFailure>;
  /** Throws `PlatformRefusal`. */
  getPhoneNumber(channel: NumberAccess): Promise<PlatformNumber>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** A template as the platform is to find it. */
export interface TemplateKey {
  platform_template_id: string;
  name: string;
}

interface PlatformRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the version. */
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
    async sendMessage({ phone_number_id, access_token }, message) {
      const path = `/${encodeURIComponent(phone_number_id)}/messages`;
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
    async getPhoneNumber({ phone_number_id, access_token }) {
      const path = `/${encodeURIComponent(phone_number_id)}?fields=${NUMBER_FIELDS}`;
      return readNumber(readAnswer(await call('GET', path, access_token), access_token), phone_number_id);
    },
    close: () => pool.close(),
  };
}

function templatesOf(waba_id: string): string {
  return `/${encodeURIComponent(waba_id)}/message_templates`;
}

// The slowest line on which a sample is still worth waiting for.
const LEAST_BYTES_PER_MS = 64;
const MAX_ANSWER_BYTES = 1024 * 1024;
const TEMPLATE_FIELDS = 'id,name,language,status,category,components,rejected_reason,quality_score';
const NUMBER_FIELDS =
  'id,display_phone_number,verified_name,quality_rating,status,whatsapp_business_manager_messaging_limit,messaging_limit_tier';

/**
 * A connection that the other side closes just as we write on it leaves the outcome unknown, so connections are dropped early:
 * after 4 s idle, or 2 s before the end of the time that the server announces (`Keep-Alive: timeout`). One request at a time on
 * each connection (no pipelining, no HTTP/2), so that a broken connection leaves one message in doubt and no more.
 */
function createPool(origin: string, { timeout_ms, connections = 2_048 }: PlatformClientOptions): Pool {
  return new Pool(origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: Math.min(timeout_ms, 10_000) },
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    keepAliveTimeoutThreshold: 2_000,
  });
}
