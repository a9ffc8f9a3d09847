import { randomBytes } from 'node:crypto';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { PlatformNumber } from '../../platform/number.ts';
import type { Clock } from '../../process/clock.ts';
import type { SecretBox } from '../../secrets/encrypt.ts';
import { changeSetup, insertChannel, lockByNumber } from '../queries.ts';

export interface NewChannel {
  name: string;
  phone_number_id: string;
  waba_id: string;
  access_token: string;
  app_secret: string;
}

interface Context {
  clock: Clock;
  secretBox: SecretBox;
}

/**
 * Stores a number that the platform has confirmed, with a new verify token. A channel of the workspace that had the number before
 * its disconnection comes back, with its history.
 */
export async function connectChannel(
  tx: Transaction,
  { clock, secretBox }: Context,
  workspace_id: string,
  { access_token, app_secret, ...channel }: NewChannel,
  number: PlatformNumber,
): Promise<{ id: string; verify_token: string }> {
  const now = clock.now();
  const verify_token = newVerifyToken();
  const setup = {
    ...channel,
    type: 'chatapp',
    display_phone: number.display_phone === undefined ? null : `+${number.display_phone}`,
    verified_name: number.verified_name ?? null,
    messaging_tier: number.tier?.messaging_tier ?? null,
    access_token: secretBox.seal(access_token, 'channels.access_token'),
    app_secret: secretBox.seal(app_secret, 'channels.app_secret'),
    app_secret_fingerprint: secretBox.fingerprint(app_secret),
    ...sealVerifyToken(secretBox, verify_token),
    changed_at: now,
  };
  const standing = await lockByNumber(tx, workspace_id, [channel.phone_number_id]);
  const former = standing.find(({ disconnected_at }) => disconnected_at);
  if (standing.some(({ disconnected_at }) => !disconnected_at)) throw connectedAlready();
  if (former) {
    const { type: _type, phone_number_id: _number, ...change } = setup;
    const cleared = { disconnected_at: null, fault: null, fault_until: null, callback_verified_at: null };
    await changeSetup(tx, workspace_id, former.id, { ...change, ...cleared });
    return { id: former.id, verify_token };
  }
  const id = newId(clock);
  const isNew = await insertChannel(tx, workspace_id, { ...setup, id, created_at: now });
  if (!isNew) throw connectedAlready();
  return { id, verify_token };
}

const connectedAlready = () => invalid({ detail: 'is connected already', pointer: '/phone_number_id' });

export function newVerifyToken(): string {
  return randomBytes(24).toString('base64url');
}

export function sealVerifyToken(secretBox: SecretBox, verify_token: string) {
  return {
    verify_token: secretBox.seal(verify_token, 'channels.verify_token'),
    verify_token_fingerprint: secretBox.fingerprint(verify_token),
  };
}
