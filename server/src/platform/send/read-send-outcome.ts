import type { Exchange } from '../../outbound/exchange.ts';
import { tryParsePlatformJson } from '../parse-platform-json.ts';
import { readError } from '../read-error.ts';
import { readArray, readMember, readText } from '../read-json.ts';
import type { PlatformError, SendOutcome } from '../send-outcome.ts';
import { classifyError } from './classify-error.ts';

/** Reads the outcome of a send. In doubt it is `unknown`: a duplicate is worse than a wait for the status. */
export function readSendOutcome(exchange: Exchange): SendOutcome {
  switch (exchange.type) {
    case 'not_written':
      return { type: 'unreachable', reason: exchange.reason };
    case 'no_answer':
      return { type: 'unknown', reason: exchange.reason };
    case 'cut_short':
      return readCutShort(exchange.status, exchange.reason);
    case 'answered':
      return readAnswer(exchange.status, tryParsePlatformJson(exchange.body));
  }
}

/** A 4xx is a refusal even where its body was lost, so a retry cannot duplicate the message. */
function readCutShort(status: number, reason: string): SendOutcome {
  if (!isRefusalByStatus(status)) return { type: 'unknown', reason: `HTTP ${status}, ${reason}` };
  return {
    type: 'refused',
    error: { code: status, is_unread: true, title: `HTTP ${status}, ${reason}` },
    retry: status === 429 ? 'throughput' : 'transient',
  };
}

function readAnswer(status: number, body: unknown): SendOutcome {
  const error = readError(readMember(body, 'error'));
  if (error) return readRefusal(status, error);
  if (status >= 200 && status < 300) return readAcceptance(status, body);
  if (!isRefusalByStatus(status)) return { type: 'unknown', reason: `HTTP ${status} without a readable error` };
  return {
    type: 'refused',
    error: { code: status, is_unread: true, title: `HTTP ${status} without a readable error` },
    retry: status === 429 ? 'throughput' : 'never',
    ...(status === 401 ? { channel_fault: 'credentials' } : {}),
  };
}

function readAcceptance(status: number, body: unknown): SendOutcome {
  const message = readArray(readMember(body, 'messages'))[0];
  const platform_message_id = readText(readMember(message, 'id'));
  if (platform_message_id === undefined) return { type: 'unknown', reason: `HTTP ${status} without a message id` };

  const contact = readArray(readMember(body, 'contacts'))[0];
  const wa_id = readText(readMember(contact, 'wa_id'));
  const user_id = readText(readMember(contact, 'user_id'));
  return {
    type: 'accepted',
    platform_message_id,
    ...(wa_id ? { wa_id } : {}),
    ...(user_id ? { user_id } : {}),
    ...(readMember(message, 'message_status') === 'held_for_quality_assessment' ? { held: true } : {}),
  };
}

/** A known error comes before acceptance, whatever the status; an unknown one proves it below 500 only. */
function readRefusal(status: number, error: PlatformError): SendOutcome {
  const known = classifyError(error);
  if (known) return { type: 'refused', error, ...known };
  if (!isRefusalByStatus(status)) return { type: 'unknown', reason: `HTTP ${status} with error ${error.code}` };
  return { type: 'refused', error, retry: error.code === 1 || error.transient ? 'transient' : 'never' };
}

/** 408 is left out: a gateway also answers it for a request that it forwarded. */
function isRefusalByStatus(status: number): boolean {
  return status >= 300 && status < 500 && status !== 408;
}
