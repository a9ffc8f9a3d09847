import type { Exchange } from '../outbound/exchange.ts';
import type { JsonObject } from './json-object.ts';
import { tryParsePlatformJson } from './parse-platform-json.ts';
import { readError } from './read-error.ts';
import { isObject, readMember } from './read-json.ts';
import { redact } from './redact.ts';
import { PlatformRefusal } from './refusal.ts';

/** Reads the body of an answer to a management call. Throws `PlatformRefusal` unless the answer is a readable 200. */
export function readAnswer(answer: Exchange, access_token: string): JsonObject {
  if (answer.type === 'cut_short') throw new PlatformRefusal(`HTTP ${answer.status}, ${answer.reason}`);
  if (answer.type !== 'answered') throw new PlatformRefusal(answer.reason);
  const body = tryParsePlatformJson(answer.body);
  const error = readError(readMember(body, 'error'));
  if (error) throw new PlatformRefusal(`HTTP ${answer.status}`, redact(error, access_token));
  if (answer.status !== 200 || !isObject(body))
    throw new PlatformRefusal(`HTTP ${answer.status} without a readable body`, undefined, answer.status);
  return body;
}
