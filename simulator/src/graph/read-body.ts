import type { Dict } from '../world/message.ts';
import { GraphError } from './graph-error.ts';
import { isRecord } from './is-record.ts';

/** The JSON object of a call. The platform requires no content type. */
export function readJson(body: unknown): Dict {
  const text = Buffer.isBuffer(body) ? body.toString() : typeof body === 'string' ? body : '';
  if (text === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new GraphError(100, { message: '(#100) The request body is not valid JSON.' });
  }
  if (!isRecord(value)) throw new GraphError(100, { message: '(#100) The request body must be a JSON object.' });
  return value;
}
