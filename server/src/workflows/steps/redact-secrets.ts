import { listLiterals } from '../run/expand.ts';

/** What an answer has in the place of a secret that the request carried. */
const redacted = '[secret]';
// A shorter text is no key of use, and stands in many answers by chance.
const shortest = 8;
// Each costs a pass over the answer.
const mostSecrets = 64;
// Their values are public, and an answer may repeat them for good reasons.
const publicHeaders = new Set(['accept', 'accept-language', 'content-language', 'content-type', 'user-agent']);

/**
 * The secrets in the headers of a call, as a host may repeat them: whole, as the words after a scheme such as `Bearer`, and as the
 * user and password of `Basic`. The values of variables are none.
 */
export function listSecretsOf(headers: readonly (readonly [name: string, opened: string])[]): string[] {
  const secrets = new Set<string>();
  for (const [name, opened] of headers) {
    if (publicHeaders.has(name.toLowerCase())) continue;
    for (const literal of listLiterals(opened)) {
      const words = literal.split(/[\s,;="]+/);
      const pairs = words.map((word) => Buffer.from(word, 'base64').toString('utf8')).filter(isPair);
      const texts = [literal.trim(), ...words, ...pairs, ...pairs.map((pair) => pair.slice(pair.indexOf(':') + 1))];
      for (const text of texts) if (text.length >= shortest) secrets.add(text);
    }
  }
  // A longer one may contain a shorter one.
  return [...secrets].slice(0, mostSecrets).sort((a, b) => b.length - a.length);
}

function isPair(text: string): boolean {
  return text.includes(':') && /^[\x20-\x7e]+$/.test(text);
}

/**
 * An answer without the secrets, in texts and in the names of members. They may be percent-encoded, or escaped as in JSON. The
 * answer is nested no deeper than requests may be.
 */
export function redactSecrets(answer: unknown, secrets: readonly string[]): unknown {
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
  ]);
  return forms.length === 0 ? answer : redact(answer, [...new Set(forms)]);
}

function redact(value: unknown, forms: readonly string[]): unknown {
  if (typeof value === 'string') return forms.reduce((text, form) => text.replaceAll(form, redacted), value);
  if (Array.isArray(value)) return value.map((item) => redact(item, forms));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [redact(name, forms) as string, redact(member, forms)]),
  );
}
