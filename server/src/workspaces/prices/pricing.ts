/** The platform's pricing of a message: the category of its conversation, without an amount. */
export interface Pricing {
  /** The platform's category in snake_case: `utility`, `authentication_international`. */
  category: string;
  is_billable: boolean;
  /** The platform's conversation, where it is charged once instead of the message. */
  conversation?: string;
  /** The platform's time of the report, in milliseconds. */
  reported_ms?: number;
}

const families = ['marketing', 'utility', 'authentication', 'service'];

/** The category of a variant: `marketing` of `marketing_lite`. Any other category is its own family. */
export function familyOf(category: string): string {
  return families.find((family) => category.split('_').includes(family)) ?? category;
}
