import type { World } from '../world/world.ts';
import { GraphError } from './graph-error.ts';

export type Recipient = {
  /** The account id; absent where the platform drops the message silently. */
  wa_id?: string;
  /** The recipient as given. */
  input: string;
  user_id?: string;
};

const userIdForm = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/;

/** Resolves `to` or `recipient` (sections 1.1 and 12). */
export function resolveRecipient(world: World, to: string | undefined, recipient: string | undefined): Recipient {
  if (to === undefined) return resolveUserId(world, recipient!);
  // The platform answers 200 to a user id in `to` and drops the message.
  if (userIdForm.test(to)) return { input: to };
  const digits = to.replace(/[+\s\-()]/g, '');
  if (!/^\d{5,20}$/.test(digits)) throw new GraphError(131009, { details: 'Parameter value is not valid: to' });
  return { input: to, wa_id: world.switches.aliases[digits] ?? digits };
}

function resolveUserId(world: World, recipient: string): Recipient {
  if (!userIdForm.test(recipient))
    throw new GraphError(100, { message: '(#100) Param recipient is not a valid user id.' });
  const customer = world.customers.findByUserId(recipient);
  return { input: recipient, user_id: recipient, ...(customer && { wa_id: customer.wa_id }) };
}
