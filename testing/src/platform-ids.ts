import { randomBytes } from 'node:crypto';

/** A new token, which all ids of one message share. */
export function newToken(): string {
  return randomBytes(9).toString('hex').toUpperCase();
}

/** A message id of the platform. The user is a number's digits or a business-scoped user id, and the token names the message. */
export function wamidOf(user: string, token: string, mark = '\x15\x02\x00\x11'): string {
  const bytes = `\x1c\x18${lengthByte(user)}${user}${mark}\x18${lengthByte(token)}${token}\x00`;
  return `wamid.${btoa(bytes)}`;
}

/** The token inside an id of the platform. */
export function tokenOf(wamid: string): string {
  const bytes = Buffer.from(wamid.slice('wamid.'.length), 'base64').toString('latin1');
  return bytes.slice(bytes.lastIndexOf('\x18') + 2).replaceAll('\x00', '');
}

function lengthByte(text: string): string {
  return String.fromCharCode(text.length);
}
