import type { AnyJson } from './json.ts';

/** The operator's token of every service that tests, bench and prove start. */
export const operatorToken = 'operator-token-of-the-tests';

/** One request to the operator's API; `path` is below `/operator`. */
export async function requestOperator(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: AnyJson }> {
  const response = await fetch(`${url}/operator${path}`, {
    method,
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** The body of the answer; fails unless its status is 200. */
export async function callOperator(url: string, method: string, path: string, body?: unknown): Promise<AnyJson> {
  const answer = await requestOperator(url, method, path, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
