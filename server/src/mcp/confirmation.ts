import { randomUUID } from 'node:crypto';
import type { CursorCodec } from '../http/cursor.ts';
import { fingerprint } from '../http/idempotency/fingerprint.ts';
import { RefusedCall } from './perform-operation.ts';
import type { ToolInput } from './tool.ts';

export const tokenMember = 'confirmation_token';
const valid_ms = 300_000;

/** What a token confirms: one call of one tool by one key. */
export interface ConfirmedCall {
  workspace_id: string;
  key_prefix: string;
  tool: string;
  input: ToolInput;
}

export interface Confirmations {
  issue(call: ConfirmedCall): { confirmation_token: string; expires_at: string };
  /** Answers the idempotency key of the call, so that a token acts once. Refuses a token of another call, and an old one. */
  redeem(token: unknown, call: ConfirmedCall): string;
}

/**
 * Tokens are signed and nothing is stored. A token proves that the preview of exactly this call was answered, not that a person
 * has read it: that is up to the client, which `destructiveHint` tells to ask.
 */
export function createConfirmations(codec: CursorCodec, nowMs: () => number): Confirmations {
  const scopeOf = ({ key_prefix, tool, input }: ConfirmedCall) =>
    JSON.stringify(['mcp', key_prefix, tool, fingerprint(input).toString('hex')]);
  return {
    issue(call) {
      const expires_ms = nowMs() + valid_ms;
      const position = [String(expires_ms), randomUUID()];
      const confirmation_token = codec.encode({ workspace_id: call.workspace_id, scope: scopeOf(call), position });
      return { confirmation_token, expires_at: new Date(expires_ms).toISOString() };
    },
    redeem(token, call) {
      const scope = { workspace_id: call.workspace_id, scope: scopeOf(call) };
      const [expires_ms, nonce] = (typeof token === 'string' ? codec.decode(token, scope) : undefined) ?? [];
      if (nonce !== undefined && Number(expires_ms) > nowMs()) return `mcp-${nonce}`;
      const detail = 'is no valid token of a call with exactly these arguments: call without it for a new preview';
      throw new RefusedCall({ code: 'unprocessable_content', errors: [{ pointer: `/${tokenMember}`, detail }] });
    },
  };
}
