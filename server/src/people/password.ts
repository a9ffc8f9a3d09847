import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { fairQueue } from '../concurrency/fair-queue.ts';
import { clientAddress, siteOf } from '../http/connections/client-address.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Client } from './client.ts';

// Argon2id with 19 MiB and two passes, as OWASP's cheat sheet on password storage recommends.
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;
const nonceBytes = 16;
const hashAsync = promisify(argon2);

// Each run holds a thread and 19 MiB, for some 40 ms. Two at once keep the other work of the process fast.
const limits = { at_once: 1, waiting_per_key: 20, waiting_in_all: 100, patience_ms: 5_000, refusal: busy };
const [knownQueue, strangersQueue] = [fairQueue(limits), fairQueue(limits)];

/** How many passwords wait to be checked or hashed. */
export function waitingPasswords(): number {
  return knownQueue.waiting() + strangersQueue.waiting();
}

/** On whose behalf a password is hashed. */
export interface Visitor extends Client {
  /** A session or a device that the account knows: its work does not wait behind that of strangers. */
  known?: string | undefined;
}

/** The hash in the PHC string format, with its parameters, so that they can change later. */
export async function hashPassword(password: string, visitor: Visitor): Promise<string> {
  const nonce = randomBytes(nonceBytes);
  const tag = await derive(password, nonce, cost, tagLength, visitor);
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
}

/** An absent hash takes as long as a wrong password, so the time of an answer does not tell whether an account exists. */
export async function verifyPassword(
  password: string,
  stored: string | null | undefined,
  visitor: Visitor,
): Promise<boolean> {
  const parsed = stored ? parse(stored) : undefined;
  const { nonce, tag, ...parameters } = parsed ?? {
    ...cost,
    nonce: randomBytes(nonceBytes),
    tag: randomBytes(tagLength),
  };
  const derived = await derive(password, nonce, parameters, tag.length, visitor);
  return timingSafeEqual(derived, tag);
}

function derive(
  password: string,
  nonce: Buffer,
  { memory, passes, parallelism }: typeof cost,
  length: number,
  { known, address, gone }: Visitor,
): Promise<Buffer> {
  // NFKC makes equal what keyboards spell differently (NIST SP 800-63B, section 5.1.1.2).
  const message = password.normalize('NFKC');
  const queue = known === undefined ? strangersQueue : knownQueue;
  return queue({ key: known ?? siteOf(address) ?? clientAddress(address), gone }, () =>
    hashAsync('argon2id', { message, nonce, memory, passes, parallelism, tagLength: length }),
  );
}

function busy(): Refusal {
  const detail = 'Too many sign-ins wait at the moment. Try again in a moment.';
  return new Refusal('service_unavailable', { detail, headers: { 'Retry-After': '2' } });
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
