import { CannotRun } from '../process/cannot-run.ts';

/** The address and token of a running service's operator API. */
export interface OperatorDoor {
  url: string;
  token: string;
}

/**
 * Calls the operator API and answers the body. Rejects with CannotRun if the service does not answer or refuses. `meaning`
 * explains a status to the operator.
 */
export async function askOperator(
  door: OperatorDoor,
  method: string,
  path: string,
  body?: unknown,
  meaning: Record<number, string> = {},
  timeout_ms = 30_000,
): Promise<unknown> {
  const response = await reach(door, method, path, body, timeout_ms);
  const text = await response.text();
  if (response.ok) return text === '' ? undefined : JSON.parse(text);
  if (response.status === 401) throw new CannotRun(`the service at ${door.url} does not accept the operator token`);
  throw new CannotRun(meaning[response.status] ?? `the service answers ${response.status}: ${reasonOf(text)}`);
}

async function reach(
  door: OperatorDoor,
  method: string,
  path: string,
  body: unknown,
  timeout_ms: number,
): Promise<Response> {
  try {
    return await fetch(`${door.url}/operator${path}`, {
      method,
      headers: { authorization: `Bearer ${door.token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeout_ms),
    });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error && 'code' in cause ? cause.code : reasonOf(String(cause));
    throw new CannotRun(`no service answers at ${door.url} (${reason}): start it, or name it with --url`, {
      cause: error,
    });
  }
}

/** `request body invalid: /channels/0/phone_number_id is required` */
function reasonOf(text: string): string {
  try {
    const { code, detail, errors = [] } = JSON.parse(text);
    const parts = errors.map((error: { pointer?: string; detail?: string }) => `${error.pointer} ${error.detail}`);
    return [detail ?? code, ...parts].filter(Boolean).join('; ');
  } catch {
    return text.slice(0, 200);
  }
}
