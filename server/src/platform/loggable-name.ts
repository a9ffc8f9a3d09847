/** The name of a field or type for the log. A value without the shape of a name may be personal data and is replaced. */
export function loggableName(value: unknown): string {
  return typeof value === 'string' && /^\w{1,64}$/.test(value) ? value : 'unnamed';
}

/** The same of a word from a list, such as a type or a status. The platform writes some in capitals. */
export function loggableWord(value: unknown): string {
  return loggableName(value).toLowerCase();
}
