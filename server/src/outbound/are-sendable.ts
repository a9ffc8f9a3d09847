import { validateHeaderName, validateHeaderValue } from 'node:http';

/**
 * Whether the headers say only what their names mean. A line break in one would begin another, and those that frame the message
 * or name its receiver belong to the connection: with `Host` a caller could ask a public machine for an inner service.
 */
export function areSendable(headers: Record<string, string>): boolean {
  try {
    for (const [name, value] of Object.entries(headers)) {
      if (connectionHeaders.has(name.toLowerCase())) return false;
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return true;
  } catch {
    return false;
  }
}

const connectionHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-connection',
  'proxy-authorization',
  // An answer that nobody reads need not be compressed, and what is compressed is never inflated.
  'accept-encoding',
]);
