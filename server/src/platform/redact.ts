import type { PlatformError } from './send-outcome.ts';

/** Removes the token from an error: the platform quotes tokens that it cannot read ("Malformed access token …"). */
export function redact(error: PlatformError, access_token: string): PlatformError {
  if (access_token === '') return error;
  const clean = { ...error };
  if (error.title !== undefined) clean.title = error.title.replaceAll(access_token, '[token]');
  if (error.details !== undefined) clean.details = error.details.replaceAll(access_token, '[token]');
  return clean;
}
