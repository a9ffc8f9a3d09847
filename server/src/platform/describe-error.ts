import type { PlatformError } from './send-outcome.ts';

/** Formats the contract's `message.error`: `131047: Re-engagement message - Message failed to send because …`. */
export function describePlatformError(error: PlatformError): string {
  const parts = [error.title, error.details].filter((part, at, all) => part !== undefined && all.indexOf(part) === at);
  if (error.is_unread) return parts.join(' - ');
  return parts.length === 0 ? String(error.code) : `${error.code}: ${parts.join(' - ')}`;
}
