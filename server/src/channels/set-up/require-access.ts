import type { ChannelCheckName } from '@majlis/console-api';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import type { AccessChecks } from './check-access.ts';

/** The value to look at, by the check that failed. */
const members: Record<ChannelCheckName, string> = {
  number: 'access_token',
  account: 'waba_id',
  app_secret: 'app_secret',
  subscription: 'access_token',
};

/**
 * Refuses access that the platform refuses. Otherwise a workspace could take the number of another business, which could then
 * not connect it.
 */
export function requireAccess({ checks, is_platform_away }: AccessChecks): void {
  if (is_platform_away) throw new Refusal('service_unavailable', { detail: 'The platform does not answer now.' });
  const failed = checks.find(({ name, state }) => state === 'failed' && name !== 'subscription');
  if (failed) {
    const { name, detail = 'does not have this number at the platform' } = failed;
    throw invalid({ detail, pointer: `/${members[name]}` });
  }
}
