import type { WebhookOptions } from '../options.ts';
import type { BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';
import type { Notification } from './envelope.ts';

export type Callback = { callback_url: string; app_secret: string };

/**
 * The targets of a notification. Overrides apply to the field `messages` only, the number's before the account's (section 0.1).
 * Notifications of an account go to the callbacks of all its numbers.
 */
export function callbacksFor(world: World, { waba_id, field }: Notification, phone_number_id?: string): Callback[] {
  const account = world.accounts.get(waba_id);
  if (account?.subscribed === false) return [];
  const number = phone_number_id === undefined ? undefined : world.numbers.get(phone_number_id);
  if (number !== undefined) {
    const own = webhookOf(world, number);
    const override = number.override_callback_uri ?? account?.override_callback_uri;
    return own === undefined ? [] : [field === 'messages' && override ? { ...own, callback_url: override } : own];
  }
  const targets = new Map<string, Callback>();
  for (const one of world.numbers.values()) {
    const target = one.waba_id === waba_id ? webhookOf(world, one) : undefined;
    if (target !== undefined) targets.set(`${target.callback_url} ${target.app_secret}`, target);
  }
  return [...targets.values()];
}

export function webhookOf(world: World, number: BusinessNumber): WebhookOptions | undefined {
  const merged = { ...world.webhook, ...number.webhook };
  const { callback_url, app_secret, verify_token = '' } = merged;
  return callback_url && app_secret ? { callback_url, app_secret, verify_token } : undefined;
}
