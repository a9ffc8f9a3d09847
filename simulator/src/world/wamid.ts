import type { Rng } from './random.ts';

export type Direction = 'inbound' | 'outbound';

/** An id as observed at the platform (platform protocol, section 0.3). Receivers must treat it as opaque. */
export function makeWamid(user: string, direction: Direction, random: Rng): string {
  const outbound = direction === 'outbound';
  const hex = random.hex(outbound ? 18 : 20);
  const mark = outbound ? '\x11' : '\x12';
  const bytes = `\x1c\x18${lengthByte(user)}${user}\x15\x02\x00${mark}\x18${lengthByte(hex)}${hex}\x00`;
  return `wamid.${btoa(bytes)}`;
}

function lengthByte(text: string): string {
  return String.fromCharCode(text.length);
}
