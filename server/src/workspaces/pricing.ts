/** What the platform says that a message costs: no amount, only what kind of conversation it counts as. */
export interface Pricing {
  /** The platform's own word in snake_case: `utility`, `authentication_international`. */
  category: string;
  is_billable: boolean;
  /** Names what is charged once where that is not the message itself, but the platform's conversation around it. */
  conversation?: string;
}

const families = ['marketing', 'utility', 'authentication', 'service'];

/** The category of which this is a variant: `marketing` of `marketing_lite`. What is of none is its own. */
export function familyOf(category: string): string {
  return families.find((family) => category.split('_').includes(family)) ?? category;
}
