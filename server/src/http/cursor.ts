import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';

/** The scope of a cursor: the operation with its filters, in one workspace. */
export interface CursorScope {
  workspace_id: string;
  scope: string;
}

export interface CursorCodec {
  /** `position` is the sort key of the last row as text: a Date would lose the microseconds (hazard H81). */
  encode(cursor: CursorScope & { position: string[] }): string;
  /** The position, or undefined for a cursor that was altered or made for another workspace or filter (hazard H83). */
  decode(text: string, scope: CursorScope): string[] | undefined;
}

const mac_bytes = 16;

/** Cursors are opaque and signed, not secret: base64url of an HMAC-SHA256 (16 bytes) and the position. */
export function createCursorCodec(secret_key: Buffer, old_secret_keys: readonly Buffer[] = []): CursorCodec {
  // A key object is made once: making it for each cursor takes five times as long as the rest.
  const keys = [secret_key, ...old_secret_keys].map((one) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', one, '', 'majlis cursor', 32))),
  );
  return {
    encode({ workspace_id, scope, position }) {
      const content = Buffer.from(JSON.stringify(position));
      return Buffer.concat([sign(keys[0]!, { workspace_id, scope }, content), content]).toString('base64url');
    },
    decode(text, scope) {
      const bytes = Buffer.from(text, 'base64url');
      // Buffer skips characters outside base64url. Another spelling of the same bytes counts as altered.
      if (bytes.length <= mac_bytes || bytes.toString('base64url') !== text) return undefined;
      const content = bytes.subarray(mac_bytes);
      const mac = bytes.subarray(0, mac_bytes);
      if (!keys.some((key) => timingSafeEqual(mac, sign(key, scope, content)))) return undefined;
      return JSON.parse(content.toString()) as string[];
    },
  };
}

function sign(key: KeyObject, { workspace_id, scope }: CursorScope, content: Buffer): Buffer {
  // JSON keeps different pairs of workspace and scope apart.
  const bound_to = JSON.stringify([workspace_id, scope]);
  return createHmac('sha256', key).update(bound_to).update(content).digest().subarray(0, mac_bytes);
}
