import { isObject, readInteger, readText } from './read-json.ts';
import type { PlatformError } from './send-outcome.ts';

/** Reads one error of an answer (section 2.1, inside `error`) or of a webhook (section 2.2). */
export function readError(value: unknown): PlatformError | undefined {
  if (!isObject(value)) return undefined;
  const code = readInteger(value.code);
  if (code === undefined) return undefined;

  const error: PlatformError = { code };
  const subcode = readInteger(value.error_subcode);
  if (subcode !== undefined) error.subcode = subcode;
  const title = readText(value.error_user_title) ?? readText(value.title) ?? withoutCode(readText(value.message));
  if (title !== undefined) error.title = title;
  const details = readDetails(value.error_data) ?? readText(value.error_user_msg);
  if (details !== undefined) error.details = details;
  if (value.is_transient === true) error.transient = true;
  const trace_id = readText(value.fbtrace_id);
  if (trace_id !== undefined) error.trace_id = trace_id;
  return error;
}

/** `error_data` is an object with `details`, or a bare string (seen in template management). */
function readDetails(data: unknown): string | undefined {
  return isObject(data) ? readText(data.details) : readText(data);
}

function withoutCode(message: string | undefined): string | undefined {
  return message?.replace(/^\(#\d+\)\s*/, '') || undefined;
}
