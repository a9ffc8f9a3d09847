import { Refusal } from '../../http/reply/refusal.ts';
import type { GroupRole, OidcSettings } from '../../process/oidc-settings.ts';
import { isEmail, normalizeEmail } from '../people.ts';
import type { Claims } from './identity-provider.ts';

/** An account at the identity provider that the operator's rules let in. */
export interface Admitted {
  issuer: string;
  subject: string;
  email: string;
  name: string;
  /** What a new person joins. */
  groupRoles: readonly GroupRole[];
}

/** Refuses an account whose e-mail address the issuer does not confirm, and one outside the domains and groups of the operator. */
export function admit(claims: Claims, settings: OidcSettings): Admitted {
  const { email, name, email_verified } = claims;
  const address = typeof email === 'string' ? normalizeEmail(email) : '';
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const isTrusted = email_verified === undefined && settings.trustedDomains.includes(domain);
  // Anybody can enter an address that an issuer does not check, and would get the account behind it.
  if (!isEmail(address) || (email_verified !== true && !isTrusted)) throw new Refusal('oidc_email_unverified');
  if (settings.domains.length > 0 && !settings.domains.includes(domain)) throw new Refusal('oidc_not_admitted');
  const groups = readGroups(claims[settings.groupsClaim]);
  if (settings.groups.length > 0 && !settings.groups.some((group) => groups.has(group))) {
    throw new Refusal('oidc_not_admitted');
  }
  return {
    issuer: settings.issuer,
    subject: claims.sub,
    email: address,
    name: (typeof name === 'string' && name.trim()) || address.split('@')[0]!,
    groupRoles: settings.groupRoles.filter(({ group }) => groups.has(group)),
  };
}

/** Keycloak writes `/support` for a group and `/support/night` for one within it. */
function readGroups(claim: unknown): ReadonlySet<string> {
  const names = Array.isArray(claim) ? claim.filter((name) => typeof name === 'string') : [claim].filter(isText);
  return new Set(names.map((name) => name.replace(/^\//, '')));
}

function isText(claim: unknown): claim is string {
  return typeof claim === 'string';
}
