import { readId, readMember } from '../read-json.ts';

/** The id of the button or row that the customer chose, or the payload of a template's quick reply, of a stored message. */
export function readChoiceId(raw: unknown): string | undefined {
  const chosen = readMember(raw, 'interactive');
  return [
    readMember(readMember(chosen, 'button_reply'), 'id'),
    readMember(readMember(chosen, 'list_reply'), 'id'),
    readMember(readMember(raw, 'button'), 'payload'),
  ]
    .map(readId)
    .find((id) => id !== undefined);
}
