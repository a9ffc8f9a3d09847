import type { BusinessAccount, BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';
import { GraphError, unknownObject } from './graph-error.ts';
import { expiredToken } from './ordered-refusal.ts';

/** Checks the token of a call before its object is known (section 14.2). */
export function authenticate(world: World, authorization: string | undefined): string {
  const token = /^(?:Bearer|OAuth) +(.+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined)
    throw new GraphError(104, { message: '(#104) An access token is required to request this resource.' });
  const numbers = world.tokens.get(token);
  if (numbers?.every((number) => number.token_expired)) throw expiredToken(world.now());
  if (numbers !== undefined) return token;
  throw new GraphError(190, { message: 'Invalid OAuth access token - Cannot parse access token' });
}

/** Finds a number whose business account the token belongs to. */
export function numberFor(world: World, token: string, id: string, method: string): BusinessNumber {
  const number = world.numbers.get(id);
  if (number === undefined || !tokenOpens(world, token, number.waba_id)) throw unknownObject(method, id);
  if (number.token_expired && number.access_token === token) throw expiredToken(world.now());
  return number;
}

export function accountFor(world: World, token: string, id: string, method: string): BusinessAccount {
  const account = world.accounts.get(id);
  if (account === undefined || !tokenOpens(world, token, id)) throw unknownObject(method, id);
  return account;
}

export function tokenOpens(world: World, token: string, waba_id: string): boolean {
  return world.accounts.get(waba_id)?.tokens.has(token) === true;
}
