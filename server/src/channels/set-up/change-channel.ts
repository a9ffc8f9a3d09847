import type { Transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import type { SecretBox } from '../../secrets/encrypt.ts';
import { changeSetup } from '../queries.ts';
import { newVerifyToken, sealVerifyToken } from './connect-channel.ts';
import { lockChannelState, versionOf } from './read-channel-states.ts';

export interface ChannelChange {
  name?: string;
  waba_id?: string;
  access_token?: string;
  app_secret?: string;
}

interface Context {
  clock: Clock;
  secretBox: SecretBox;
}

interface NamedChannel {
  workspace_id: string;
  id: string;
}

/** Changes what a person sent. Where somebody changed the channel since `version`, nothing changes. */
export async function changeChannel(
  tx: Transaction,
  { clock, secretBox }: Context,
  { workspace_id, id }: NamedChannel,
  version: string,
  { name, waba_id, access_token, app_secret }: ChannelChange,
): Promise<void> {
  const before = await lockChannelState(tx, workspace_id, id);
  if (!before) throw new Refusal('not_found');
  if (versionOf(before) !== version) throw new Refusal('changed_meanwhile');
  await changeSetup(tx, workspace_id, id, {
    ...(name !== undefined && { name }),
    ...(waba_id !== undefined && { waba_id }),
    // The platform may be called again at once, because the refused credentials were replaced.
    ...(access_token !== undefined && {
      access_token: secretBox.seal(access_token, 'channels.access_token'),
      fault: null,
      fault_until: null,
    }),
    ...(app_secret !== undefined && {
      app_secret: secretBox.seal(app_secret, 'channels.app_secret'),
      app_secret_fingerprint: secretBox.fingerprint(app_secret),
    }),
    changed_at: clock.now(),
  });
}

/** Replaces the verify token. The platform asks with it at the next verification alone. */
export async function renewVerifyToken(
  tx: Transaction,
  { clock, secretBox }: Context,
  { workspace_id, id }: NamedChannel,
): Promise<string> {
  if (!(await lockChannelState(tx, workspace_id, id))) throw new Refusal('not_found');
  const verify_token = newVerifyToken();
  const sealed = sealVerifyToken(secretBox, verify_token);
  const callback_verified_at = null;
  await changeSetup(tx, workspace_id, id, { ...sealed, callback_verified_at, changed_at: clock.now() });
  return verify_token;
}
