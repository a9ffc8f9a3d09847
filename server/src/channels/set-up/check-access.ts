import type { ChannelCheck, ChannelCheckName } from '@majlis/console-api';
import type { PlatformClient } from '../../platform/client.ts';
import type { PlatformNumber } from '../../platform/number.ts';
import { PlatformRefusal } from '../../platform/refusal.ts';

export interface EnteredAccess {
  phone_number_id: string;
  waba_id: string;
  access_token: string;
  app_secret?: string | undefined;
}

export interface AccessChecks {
  checks: ChannelCheck['checks'];
  /** Present where the token opens the number. */
  number?: PlatformNumber;
  /** The platform gave no answer, so nothing is known of the values. */
  is_platform_away: boolean;
}

/**
 * Asks the platform whether ids and secrets fit together. `subscribes`: where the account's notifications do not come to the
 * app of the token, the app is subscribed to them.
 */
export async function checkAccess(
  platform: PlatformClient,
  access: EnteredAccess,
  { subscribes }: { subscribes: boolean },
): Promise<AccessChecks> {
  const { phone_number_id, app_secret } = access;
  let number: PlatformNumber | undefined;
  let is_platform_away = false;
  const checks: AccessChecks['checks'] = [];

  async function check(name: ChannelCheckName, needs: boolean, ask: () => Promise<boolean>): Promise<boolean> {
    if (!needs) {
      checks.push({ name, state: 'skipped' });
      return false;
    }
    try {
      const passed = await ask();
      checks.push({ name, state: passed ? 'passed' : 'failed' });
      return passed;
    } catch (refusal) {
      if (!(refusal instanceof PlatformRefusal)) throw refusal;
      is_platform_away ||= refusal.error === undefined;
      checks.push({ name, state: 'failed', detail: refusal.message });
      return false;
    }
  }

  const opens = await check('number', true, async () => {
    number = await platform.getPhoneNumber(access);
    return true;
  });
  const holds = await check('account', opens, () => platform.hasNumber(access, phone_number_id));
  await check('app_secret', opens && app_secret !== undefined, async () => {
    await platform.getPhoneNumber(access, app_secret);
    return true;
  });
  await check('subscription', holds, async () => {
    if (await platform.isSubscribed(access)) return true;
    if (subscribes) await platform.subscribe(access);
    return subscribes;
  });
  return { checks, is_platform_away, ...(number && { number }) };
}

export function presentCheck({ checks, number }: AccessChecks): ChannelCheck {
  const { display_phone, verified_name, quality, status } = number ?? {};
  return {
    checks,
    ...(display_phone !== undefined && { display_phone: `+${display_phone}` }),
    ...(verified_name !== undefined && { verified_name }),
    ...(quality !== undefined && { quality }),
    ...(status !== undefined && { status }),
  };
}
