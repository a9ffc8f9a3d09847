import assert from 'node:assert/strict';
import type { TestService } from './start-test-service.ts';

/** Calls the simulator's control API; fails unless it is answered well. */
export async function callControl(
  { simulator }: Pick<TestService, 'simulator'>,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${simulator.url}/control${path}`, {
    method,
    headers: {
      authorization: `Bearer ${simulator.control_token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
