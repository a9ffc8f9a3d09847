/** Whether the text is an IANA name, such as Asia/Muscat. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // Offsets such as +04:00 are taken too, but name no place.
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
