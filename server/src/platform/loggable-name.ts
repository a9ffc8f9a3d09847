/** A field's or type's name for the log; what is not of a name's shape could be anything, and is not repeated. */
export function loggableName(value: unknown): string {
  return typeof value === 'string' && /^\w{1,64}$/.test(value) ? value : 'unnamed';
}
