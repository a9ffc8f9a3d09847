import type { Channel } from '@majlis/contract';
import { publicId } from '../database/ids.ts';

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
}

export function presentChannel(row: ChannelRow): Channel {
  return {
    id: publicId('channel', row.id),
    type: row.type as Channel['type'],
    ...(row.status !== null && { status: row.status }),
    ...(row.name !== null && { name: row.name }),
    ...(row.display_phone !== null && { display_phone: row.display_phone }),
    ...(row.verified_name !== null && { verified_name: row.verified_name }),
    ...(row.quality !== null && { quality: row.quality }),
    waba_id: row.waba_id,
    phone_number_id: row.phone_number_id,
    created_at: row.created_at.toISOString(),
  };
}
