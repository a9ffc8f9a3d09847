import type { Media } from '@majlis/contract';
import { publicId } from '../database/ids.ts';
import type { MediaRow } from './queries.ts';

export function presentMedia({ id, mime, filename, size_bytes }: MediaRow): Media {
  return { id: publicId('media', id), mime, ...(filename && { filename }), size_bytes };
}
