import type { ChannelSetup, StandingChannel } from '../../channels/queries.ts';
import type { SecretBox } from '../../secrets/encrypt.ts';
import type { FileChannel } from './workspace-file.ts';

/**
 * Merges the file's channel over the stored one. An equal value keeps the identity of the stored object.
 */
export function setUpChannel(
  secretBox: SecretBox,
  file: FileChannel,
  before: StandingChannel | undefined,
  id: string,
): ChannelSetup {
  const { access_token, app_secret, verify_token } = file;
  return {
    id,
    type: file.type ?? before?.type ?? 'chatapp',
    name: file.name ?? before?.name ?? null,
    display_phone: file.display_phone ?? before?.display_phone ?? null,
    ...reportedByPlatform(file, before),
    marketing_route: file.marketing_route ?? before?.marketing_route ?? 'messages',
    timezone: file.timezone ?? before?.timezone ?? null,
    waba_id: file.waba_id ?? before!.waba_id,
    phone_number_id: file.phone_number_id,
    access_token: reseal(secretBox, access_token, before?.access_token, 'channels.access_token'),
    app_secret: reseal(secretBox, app_secret, before?.app_secret, 'channels.app_secret'),
    app_secret_fingerprint: fingerprintOf(secretBox, app_secret, before?.app_secret_fingerprint),
    verify_token: reseal(secretBox, verify_token, before?.verify_token, 'channels.verify_token'),
    verify_token_fingerprint: fingerprintOf(secretBox, verify_token, before?.verify_token_fingerprint),
  };
}

/** The file's values apply until the platform reports its own, together with the channel's status. */
function reportedByPlatform(file: FileChannel, before: StandingChannel | undefined) {
  const { verified_name = null, messaging_tier = null } = before ?? {};
  if (before && before.status !== null) return { verified_name, messaging_tier };
  return {
    verified_name: file.verified_name ?? verified_name,
    messaging_tier: file.messaging_tier ?? messaging_tier,
  };
}

function reseal(secretBox: SecretBox, text: string | undefined, before: Buffer | undefined, place: string): Buffer {
  if (before && (text === undefined || opensTo(secretBox, before, place, text))) return before;
  return secretBox.seal(text!, place);
}

/** A secret that cannot be opened after a change of SECRET_KEY counts as another one, so the file repairs it. */
function opensTo(secretBox: SecretBox, sealed: Buffer, place: string, text: string): boolean {
  try {
    return secretBox.open(sealed, place) === text;
  } catch {
    return false;
  }
}

function fingerprintOf(secretBox: SecretBox, text: string | undefined, before: Buffer | undefined): Buffer {
  if (text === undefined) return before!;
  const fingerprint = secretBox.fingerprint(text);
  return before?.equals(fingerprint) ? before : fingerprint;
}
