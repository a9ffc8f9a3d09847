import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { AnyJson } from './json.ts';

/** A passkey on a device that checks its person. */
export interface Authenticator {
  /** The answer to options of a registration. */
  register(options: AnyJson): AnyJson;
  /** The answer to options of a sign-in or a confirmation; `claim` is what a dishonest one says otherwise. */
  prove(options: AnyJson, claim?: Claim): AnyJson;
}

interface Claim {
  counter?: number;
  origin?: string;
  userHandle?: string;
  /** False for a device that was only touched. */
  verified?: boolean;
}

const present = 0x01;
const checked = 0x04;
const hasCredential = 0x40;

/** Does in Node what a device and a browser do together (WebAuthn Level 3), with a key of its own. */
export function createAuthenticator({ origin }: { origin: string }): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const rpIdHash = createHash('sha256').update(new URL(origin).hostname).digest();
  let count = 0;
  let handle = '';

  function authenticatorData(flags: number, counter: number, credential = Buffer.alloc(0)): Buffer {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    return Buffer.concat([rpIdHash, Buffer.of(flags), counted, credential]);
  }

  function clientData(type: string, challenge: string, where: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: where, crossOrigin: false }));
  }

  function wrap(response: Record<string, unknown>): AnyJson {
    return {
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      response,
      clientExtensionResults: {},
    };
  }

  return {
    register({ challenge, user }) {
      handle = user.id;
      const { x, y } = publicKey.export({ format: 'jwk' });
      // COSE: EC2, ES256, P-256, x, y.
      const key = cbor(
        new Map<number, number | Buffer>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x!, 'base64url')],
          [-3, Buffer.from(y!, 'base64url')],
        ]),
      );
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, key]);
      const authData = authenticatorData(present | checked | hasCredential, count, credential);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return wrap({
        clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      });
    },
    prove({ challenge }, claim = {}) {
      count++;
      const data = clientData('webauthn.get', challenge, claim.origin ?? origin);
      const flags = claim.verified === false ? present : present | checked;
      const authData = authenticatorData(flags, claim.counter ?? count);
      const hash = createHash('sha256').update(data).digest();
      return wrap({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', Buffer.concat([authData, hash]), privateKey).toString('base64url'),
        userHandle: claim.userHandle ?? handle,
      });
    },
  };
}

/** The few forms of CBOR that an authenticator writes (RFC 8949). */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  const entries = [...(value as Map<unknown, unknown>)].flat();
  return Buffer.concat([head(5, entries.length / 2), ...entries.map(cbor)]);
}

function head(type: number, count: number): Buffer {
  if (count < 24) return Buffer.of((type << 5) | count);
  return count < 256 ? Buffer.of((type << 5) | 24, count) : Buffer.of((type << 5) | 25, count >> 8, count & 255);
}
