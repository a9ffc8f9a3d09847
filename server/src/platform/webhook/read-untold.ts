import type { JsonObject } from '../json-object.ts';
import { isObject, readMember, readWord } from '../read-json.ts';

// The content beside the words of a stored message, as the platform describes it.

/** The catalogue and the products of an order. */
export function readOrder(raw: unknown): JsonObject | undefined {
  const order = readMember(raw, 'order');
  return isObject(order) ? order : undefined;
}

/** The `interactive` of a type that the choice of the customer and the answers of a form do not tell. */
export function readUntoldInteractive(raw: unknown): JsonObject | undefined {
  const interactive = readMember(raw, 'interactive');
  return isObject(interactive) && !toldTypes.has(readWord(interactive.type)) ? interactive : undefined;
}

const toldTypes = new Set<unknown>(['button_reply', 'list_reply', 'nfm_reply']);
