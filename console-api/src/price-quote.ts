import { type Static, Type } from 'typebox';
import { count, text } from './fields.ts';

const Charge = Type.Object({
  category: text('Of the platform.'),
  country: Type.Optional(text('ISO 3166. Absent where no price depends on it.')),
  messages: count('Charged messages.'),
  fee_minor: Type.Optional(count('For one message, in the minor unit. Absent: the operator has set no price.')),
});

export const PriceQuote = Type.Object({
  messages: count('That would be sent now.'),
  in_free_time: count('Free: the customers came by an advertisement and were answered within a day.'),
  in_allowance: count("Free: they have a place in the month's allowance of the number."),
  charges: Type.Array(Charge, { description: 'The others, by category and country.' }),
  total_minor: count('In the minor unit of the currency.'),
  currency: Type.Optional(text()),
});
export type PriceQuote = Static<typeof PriceQuote>;
