import { makeKey } from './make-key.ts';
import { Failure, isPassing, type RequestOptions, request } from './request.ts';

const attempts = 3;
const waitMs = 1_000;

/**
 * Sends a write that takes an idempotency key. Where no answer came, it is sent again for three seconds: every attempt has the same
 * key, so the service acts once and answers as it did. Rejects with a `Failure`.
 */
export async function requestOnce<Reply>(
  method: string,
  path: string,
  body?: object,
  options: RequestOptions = {},
): Promise<Reply> {
  const { idempotency_key = makeKey() } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await request<Reply>(method, path, body, { ...options, idempotency_key });
    } catch (error) {
      if (!(error instanceof Failure) || !isPassing(error) || attempt === attempts) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs * attempt));
  }
}

/** The keys of creations without an answer. */
const unanswered = new Map<string, string>();

/** The same, of what a person makes: another press with the same content has the same key, and makes nothing twice. */
export async function createOnce<Reply>(path: string, body: object): Promise<Reply> {
  const name = JSON.stringify([path, body]);
  const idempotency_key = unanswered.get(name) ?? makeKey();
  unanswered.set(name, idempotency_key);
  try {
    const made = await requestOnce<Reply>('POST', path, body, { idempotency_key });
    unanswered.delete(name);
    return made;
  } catch (error) {
    if (!(error instanceof Failure && isPassing(error))) unanswered.delete(name);
    throw error;
  }
}
