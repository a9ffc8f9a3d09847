import { describePlatformError } from './describe-error.ts';
import type { JsonObject } from './json-object.ts';
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
  Object.assign(error, readReason(value));
  if (value.is_transient === true) error.transient = true;
  const trace_id = readText(value.fbtrace_id);
  if (trace_id !== undefined) error.trace_id = trace_id;
  return error;
}

/** Reads the first error with a code of `errors`: a list, and an error alone where the platform writes no list. */
export function readFirstError(errors: unknown): PlatformError | undefined {
  return listOf(errors).flatMap((value) => readError(value) ?? [])[0];
}

/** Says why a message failed. A reason without a readable code counts too. */
export function describeFailure(errors: unknown): string {
  const error = readFirstError(errors);
  if (error) return describePlatformError(error);
  const [reason = {}] = listOf(errors).flatMap((value) => (isObject(value) ? readReason(value) : []));
  return describePlatformError({ code: 0, is_unread: true, ...reason }) || 'The platform gave no reason.';
}

function listOf(errors: unknown): unknown[] {
  return Array.isArray(errors) ? errors : [errors];
}

function readReason(value: JsonObject): Pick<PlatformError, 'title' | 'details'> {
  const title = readText(value.error_user_title) ?? readText(value.title) ?? withoutCode(readText(value.message));
  const details = readDetails(value.error_data) ?? readText(value.error_user_msg);
  return { ...(title !== undefined && { title }), ...(details !== undefined && { details }) };
}

/** `error_data` is an object with `details`, or a bare string (seen in template management). */
function readDetails(data: unknown): string | undefined {
  return isObject(data) ? readText(data.details) : readText(data);
}

function withoutCode(message: string | undefined): string | undefined {
  return message?.replace(/^\(#\d+\)\s*/, '') || undefined;
}
