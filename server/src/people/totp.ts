import { hash, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Connection } from '../database/pool.ts';
import { build, run } from '../database/query.ts';

const periodSeconds = 30;
// A clock of a phone may differ by one step.
const window = 1;

/** The context of the sealed secret. */
export function totpContext(person_id: string): string {
  return `people.totp_secret ${person_id}`;
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: 'Majlis', label, secret: Secret.fromBase32(secret), period: periodSeconds });
}

/** A new secret in base32, and the URI that an authenticator app reads from a QR code. */
export function newTotp(label: string): { secret: string; uri: string } {
  const secret = new Secret({ size: 20 }).base32;
  return { secret, uri: totpOf(secret, label).toString() };
}

/** The time step of a valid code. Undefined for a wrong one, and for a step that was used before (RFC 6238, section 5.2). */
export function findStep(secret: string, code: string, nowMs: number, last_step: number | null): number | undefined {
  const token = toLatinDigits(code).replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totpOf(secret, '').validate({ token, timestamp: nowMs, window });
  if (delta === null) return undefined;
  const step = Math.floor(nowMs / 1000 / periodSeconds) + delta;
  return step > (last_step ?? 0) ? step : undefined;
}

/** Arabic keyboards type Arabic-Indic digits. */
export function toLatinDigits(text: string): string {
  return text.replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660));
}

const codeCount = 10;
// Without letters that people take for digits.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Ten codes of 50 random bits. Each signs in once, instead of a code of the app. */
export function newRecoveryCodes(): string[] {
  const letter = () => letters[randomInt(letters.length)];
  const half = () => Array.from({ length: 5 }, letter).join('');
  return Array.from({ length: codeCount }, () => `${half()}-${half()}`);
}

function hashCode(code: string): Buffer {
  return hash('sha256', code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), 'buffer');
}

export async function replaceRecoveryCodes(
  connection: Connection,
  person_id: string,
  codes: readonly string[],
): Promise<void> {
  await run(connection, build.deleteFrom('recovery_codes').where('person_id', '=', person_id));
  if (codes.length === 0) return;
  const rows = codes.map((code) => ({ person_id, code_hash: hashCode(code) }));
  await run(connection, build.insertInto('recovery_codes').values(rows));
}

/** Uses up a recovery code. False where the person has no such code. */
export async function useRecoveryCode(connection: Connection, person_id: string, code: string): Promise<boolean> {
  const query = build
    .deleteFrom('recovery_codes')
    .where('person_id', '=', person_id)
    .where('code_hash', '=', hashCode(code))
    .returning('person_id');
  return (await run(connection, query)).length > 0;
}
