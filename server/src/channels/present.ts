import type { Channel } from '@majlis/contract';
import { publicId } from '../database/ids.ts';
import { isOpenable, type SecretBox } from '../secrets/encrypt.ts';

/** The columns of `channels` that the contract shows. */
export interface ChannelRow {
  id: string;
  type: string;
  status: string | null;
  name: string | null;
  display_phone: string | null;
  verified_name: string | null;
  quality: string | null;
  waba_id: string;
  phone_number_id: string;
  created_at: Date;
  /** Sealed. */
  access_token: Buffer;
  app_secret: Buffer;
  disconnected_at: Date | null;
  /** Why the platform refuses every call. */
  fault: string | null;
}

// The platform's word for a number that sends and receives.
const connected = 'CONNECTED';
// The platform's own word for a number that neither sends nor receives.
const disconnected = 'DISCONNECTED';

/**
 * A channel that a person disconnected, or whose secrets no key opens, is shown as disconnected, whatever the platform reported. While
 * the platform refuses every call, nobody knows that the channel is connected.
 */
export function presentChannel(row: ChannelRow, secretBox: SecretBox): Channel {
  const isOpen =
    !row.disconnected_at && isOpenable(secretBox, row.access_token) && isOpenable(secretBox, row.app_secret);
  const reported = row.fault !== null && row.status === connected ? null : row.status;
  const status = isOpen ? reported : disconnected;
  return {
    id: publicId('channel', row.id),
    type: row.type as Channel['type'],
    ...(status !== null && { status }),
    ...(row.name !== null && { name: row.name }),
    ...(row.display_phone !== null && { display_phone: row.display_phone }),
    ...(row.verified_name !== null && { verified_name: row.verified_name }),
    ...(row.quality !== null && { quality: row.quality }),
    waba_id: row.waba_id,
    phone_number_id: row.phone_number_id,
    created_at: row.created_at.toISOString(),
  };
}
