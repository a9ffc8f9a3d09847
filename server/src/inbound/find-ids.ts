import type { WebhookNames } from '../channels/queries.ts';

// An account or a number. Ids of messages begin with `wamid.` and are the most frequent ones.
const id = /"(id|phone_number_id)"\s{0,16}:\s{0,16}(?:"(?!wamid\.)([^"\\]{1,64})"|(\d{1,32}))/g;
const maxIds = 100;
// Repeated ids take time too. The first ids of a notification name its app.
const maxMatches = 2_000;

/**
 * Finds the accounts and numbers that an unverified notification may be about, without parsing it: to build 4 MB of values
 * takes a second, and anyone may send them. Other members are called `id` too, so some of the ids name nothing.
 */
export function findIds(raw: Buffer): WebhookNames {
  const waba_ids = new Set<string>();
  const phone_number_ids = new Set<string>();
  for (const [, name, text, digits] of raw.toString('latin1').matchAll(id).take(maxMatches)) {
    const ids = name === 'id' ? waba_ids : phone_number_ids;
    ids.add((text ?? digits)!);
    if (waba_ids.size + phone_number_ids.size === maxIds) break;
  }
  return { waba_ids: [...waba_ids], phone_number_ids: [...phone_number_ids] };
}
