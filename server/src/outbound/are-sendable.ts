import { validateHeaderName, validateHeaderValue } from 'node:http';

/**
 * Whether a caller may set these headers. A line break would inject another header. Framing headers and `Host` belong to
 * the connection: with `Host`, a caller could address an internal service behind a public address.
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
  // Answers are never decompressed (hazard H29), so compression is not requested.
  'accept-encoding',
]);
