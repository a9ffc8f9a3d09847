/** An idempotency key, whose order is that of its making. `crypto.randomUUID` is missing on plain http. */
export function makeKey(): string {
  const random = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0'));
  return `${Date.now().toString(36).padStart(9, '0')}-${random.join('')}`;
}
