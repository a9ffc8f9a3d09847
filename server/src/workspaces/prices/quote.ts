import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import type { Connection } from '../../database/pool.ts';
import { readWallet } from '../read-wallet.ts';
import { allowanceOf, type Countable, findAllowances } from './allowances.ts';
import { countryOf } from './country-of.ts';
import { findFees, type PricedMessage } from './find-price.ts';
import { dateIn, type PricedNumber, readPricedNumbers } from './priced-numbers.ts';

/** A message that may be sent. */
export interface QuotedMessage extends Countable {
  recipient: string;
  /** It goes into a free time that an advertisement opened. */
  is_in_free_time: boolean;
}

/** Charged messages of one category and country. */
export interface QuotedCharge {
  category: string;
  country?: string;
  messages: number;
  /** For one message, in minor units. Absent: the operator has set no price, so nothing is booked. */
  fee_minor?: number;
}

export interface PriceQuote {
  messages: number;
  /** Free: the customers came by an advertisement. */
  in_free_time: number;
  /** Free: they have a place in the month's allowance. */
  in_allowance: number;
  charges: QuotedCharge[];
  total_minor: number;
  currency?: string;
}

/**
 * What messages would cost if they were sent now, in this order, in minor units of the wallet's currency. Deliveries book the same,
 * unless the platform reports another category or charges nothing.
 */
export async function quotePrices(
  connection: Connection,
  workspace_id: string,
  messages: readonly QuotedMessage[],
  now: Date,
): Promise<PriceQuote> {
  const counted = messages.filter(({ is_in_free_time }) => !is_in_free_time);
  const numbers = await readPricedNumbers(connection, counted);
  const open = await findAllowances(connection, counted, numbers, now);
  const charged = counted.filter((message) => {
    const allowance = allowanceOf(open, message);
    if (!allowance || allowance.used >= allowance.messages) return true;
    allowance.used++;
    return false;
  });
  const charges = await priceOf(connection, charged, numbers, now);
  const { currency } = await readWallet(connection, workspace_id);
  return {
    messages: messages.length,
    in_free_time: messages.length - counted.length,
    in_allowance: counted.length - charged.length,
    charges,
    total_minor: charges.reduce((sum, { fee_minor = 0, messages: count }) => sum + fee_minor * count, 0),
    ...(currency !== null && { currency }),
  };
}

async function priceOf(
  connection: Connection,
  messages: readonly QuotedMessage[],
  numbers: ReadonlyMap<string, PricedNumber>,
  now: Date,
): Promise<QuotedCharge[]> {
  const groups = new Map<string, { priced: PricedMessage; count: number }>();
  await mapInSlices(messages, ({ workspace_id, channel_id, category, recipient }) => {
    const number = numbers.get(channel_id);
    const country = number?.has_rates ? countryOf(recipient) : '';
    const day = dateIn(number?.timezone ?? 'UTC', now);
    const key = [category, country, day].join(' ');
    const group = groups.get(key) ?? { priced: { workspace_id, category, country, day }, count: 0 };
    group.count++;
    groups.set(key, group);
  });
  const all = [...groups.values()];
  const fees = await findFees(
    connection,
    all.map(({ priced }) => priced),
  );
  return all.map(({ priced: { category, country }, count }, n) => {
    const fee_minor = fees[n];
    return {
      category,
      ...(country && { country }),
      messages: count,
      ...(fee_minor !== undefined && { fee_minor }),
    };
  });
}
