import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { limitPerKey } from '../concurrency/limit-per-key.ts';

// Argon2id with 19 MiB and two passes, as OWASP's cheat sheet on password storage recommends.
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;
const nonceBytes = 16;
const hashAsync = promisify(argon2);

// Each run holds a thread and 19 MiB. Two at once keep the other work of the process fast.
const limitRuns = limitPerKey({ per_key: 2 });

/** The hash in the PHC string format, with its parameters, so that they can change later. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(nonceBytes);
  const tag = await derive(password, nonce, cost, tagLength);
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
}

/** An absent hash takes as long as a wrong password, so the time of an answer does not tell whether an account exists. */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const parsed = stored ? parse(stored) : undefined;
  const { nonce, tag, ...parameters } = parsed ?? {
    ...cost,
    nonce: randomBytes(nonceBytes),
    tag: randomBytes(tagLength),
  };
  const derived = await derive(password, nonce, parameters, tag.length);
  return timingSafeEqual(derived, tag) && parsed !== undefined;
}

function derive(password: string, nonce: Buffer, { memory, passes, parallelism }: typeof cost, length: number) {
  // NFKC makes equal what keyboards spell differently (NIST SP 800-63B, section 5.1.1.2).
  const message = password.normalize('NFKC');
  return limitRuns('argon2', () =>
    hashAsync('argon2id', { message, nonce, memory, passes, parallelism, tagLength: length }),
  );
}

function parse(stored: string) {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored);
  if (!match) throw new Error('a stored password hash is in no known form');
  const [, memory, passes, parallelism, nonce, tag] = match;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce!, 'base64'),
    tag: Buffer.from(tag!, 'base64'),
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
