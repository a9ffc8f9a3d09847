import { readWord } from '../read-json.ts';

/**
 * A category of the platform as one of the contract's three. Former categories and variants count with what they are for. An unknown
 * one counts as marketing, which asks for the opt-in. Undefined where the platform states none.
 */
export function readCategory(value: unknown): string | undefined {
  const word = readWord(value);
  if (word === undefined || known.has(word)) return word;
  if (/authentication|otp/.test(word)) return 'authentication';
  return /utility/.test(word) || formerUtility.has(word) ? 'utility' : 'marketing';
}

const known = new Set(['marketing', 'utility', 'authentication']);
const formerUtility = new Set([
  ...['transactional', 'account_update', 'payment_update', 'personal_finance_update', 'shipping_update', 'auto_reply'],
  ...[
    'alert_update',
    'reservation_update',
    'issue_resolution',
    'appointment_update',
    'transportation_update',
    'ticket_update',
  ],
]);
