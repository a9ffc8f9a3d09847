import { meaningOfCode } from './meaning-of-code.ts';
import type { PlatformError } from './send-outcome.ts';

/**
 * Formats the contract's `message.error`: `131047: Re-engagement message - Message failed to send because …`. A code without words has
 * those of the platform's documentation.
 */
export function describePlatformError(error: PlatformError): string {
  const parts = [error.title, error.details].filter((part, at, all) => part !== undefined && all.indexOf(part) === at);
  if (error.is_unread) return parts.join(' - ');
  const words = parts.join(' - ') || meaningOfCode(error.code);
  return words === undefined ? String(error.code) : `${error.code}: ${words}`;
}
