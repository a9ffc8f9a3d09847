import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** The country of a recipient, ISO 3166: of the number, or of a business-scoped user id (`OM.1349…`). Empty if unknown. */
export function countryOf(recipient: string): string {
  const [, scoped] = /^([A-Z]{2})\./.exec(recipient) ?? [];
  return scoped ?? parsePhoneNumberFromString(recipient.startsWith('+') ? recipient : `+${recipient}`)?.country ?? '';
}
