/** The name of a field or type for the log. A value without the shape of a name may be personal data and is replaced. */
export function loggableName(value: unknown): string {
  return typeof value === 'string' && /^\w{1,64}$/.test(value) ? value : 'unnamed';
}
