/**
 * A user id of the platform, such as `OM.91123`, from its dot on. Searches leave the letters of the country out: two letters would find
 * every customer of a country. Other texts stay as they are.
 */
export function withoutCountry(text: string): string {
  return text.replace(/^[a-z]{2}(?=\.(?:ent\.)?\d)/i, '');
}
