import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { World } from '../world/world.ts';

const livesSeconds = 300;
const key = randomBytes(32);

export const mediaPath = '/whatsapp_business/attachments/';

/** The signed address of a medium's bytes, valid for five minutes (section 4.2). */
export function mediaUrl(world: World, id: string): string {
  const ext = String(Math.floor(world.now() / 1000) + livesSeconds);
  return `${world.url}${mediaPath}?mid=${id}&ext=${ext}&hash=${hashOf(id, ext)}`;
}

export function isUrlValid(world: World, { mid = '', ext = '', hash = '' }: Record<string, string>): boolean {
  const expected = Buffer.from(hashOf(mid, ext));
  const given = Buffer.from(hash);
  return expected.length === given.length && timingSafeEqual(expected, given) && Number(ext) * 1000 > world.now();
}

function hashOf(id: string, ext: string): string {
  return `ATt${createHmac('sha256', key).update(`${id} ${ext}`).digest('base64url')}`;
}
