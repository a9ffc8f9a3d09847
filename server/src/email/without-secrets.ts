/**
 * What a mail server answers, without the secrets of the e-mail. Filters quote the links that they refuse, and whoever reads such a
 * link in the log could use it.
 */
export function withoutSecrets(answer: string, text: string): string {
  const secrets = text.match(/[\w-]{32,}/g) ?? [];
  return secrets.reduce((told, secret) => told.replaceAll(secret, '[redacted]'), answer);
}
