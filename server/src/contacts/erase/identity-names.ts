import { waIdVariants } from '../../platform/number-variants.ts';

export interface NamedIdentity {
  identifier: string;
  wa_id: string | null;
  user_id: string | null;
}

/** All names of an identity: its identifier, user id and, for a number, the digits in every spelling. */
export function identityNames({ identifier, wa_id, user_id }: NamedIdentity): string[] {
  const digits = [identifier.replace(/^\+(?=\d+$)/, ''), wa_id ?? ''].filter((name) => /^\d+$/.test(name));
  const numbers = digits.flatMap((number) => waIdVariants(number));
  return [identifier, user_id ?? '', ...numbers, ...numbers.map((number) => number.slice(1))].filter(Boolean);
}
