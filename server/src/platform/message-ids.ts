export interface PersonIds {
  wa_id?: string | undefined;
  user_id?: string | undefined;
}

// `1c 18`, the length and the person, `15`, the form of the person, then the side and the token of the message.
const start = '\x1c\x18';
const forms = ['\x02', '\x14'];

/**
 * The ids that the platform may give the same message where it names the person by the other of their ids: by the user id in place of
 * the number, or the reverse. None for an id of another shape.
 */
export function otherIdsOf(platform_message_id: string, { wa_id, user_id }: PersonIds): string[] {
  const bytes = Buffer.from(platform_message_id.replace(/^wamid\./, ''), 'base64').toString('latin1');
  if (!bytes.startsWith(start)) return [];
  const end = 3 + bytes.charCodeAt(2);
  const [person, rest] = [bytes.slice(3, end), bytes.slice(end)];
  const other = /^\d+$/.test(person) ? user_id : wa_id;
  if (other === undefined || other === person || other.length > 127 || !rest.startsWith('\x15')) return [];
  const named = `${start}${String.fromCharCode(other.length)}${other}\x15`;
  return forms.map((form) => `wamid.${btoa(named + form + rest.slice(2))}`);
}
