import { isRole, type Role, roles } from '@majlis/console-api';
import { CannotRun } from './cannot-run.ts';
import { missing, type readerOf } from './setting-reader.ts';

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  /** For the button "Continue with …". */
  name: string;
  /** The domains of e-mail addresses that may sign in. Empty: any. */
  domains: readonly string[];
  /** The domains whose addresses count as confirmed where the issuer says nothing about it. */
  trustedDomains: readonly string[];
  /** The groups of which a person needs one. Empty: none is needed. */
  groups: readonly string[];
  /** The claim that lists a person's groups. */
  groupsClaim: string;
  /** The workspaces that a new person joins. */
  groupRoles: readonly GroupRole[];
}

export interface GroupRole {
  group: string;
  role: Role;
  /** The name. */
  workspace: string;
}

type Reader = ReturnType<typeof readerOf>;

const dependent = [
  'OIDC_CLIENT_SECRET',
  'OIDC_NAME',
  'OIDC_DOMAINS',
  'OIDC_TRUSTED_DOMAINS',
  'OIDC_GROUPS',
  'OIDC_GROUP_ROLES',
];

/** Undefined if no identity provider is set. */
export function readOidc(read: Reader): OidcSettings | undefined {
  const issuer = read.url('OIDC_ISSUER', ['http:', 'https:']);
  const clientId = read.text('OIDC_CLIENT_ID');
  const lonely = ['OIDC_CLIENT_ID', ...dependent].find((name) => read.text(name) !== undefined);
  if (!issuer && lonely) throw missing('OIDC_ISSUER', `the address of the identity provider, which ${lonely} needs`);
  if (!issuer) return undefined;
  if (!clientId) throw missing('OIDC_CLIENT_ID', 'the name by which OIDC_ISSUER knows this service');
  return {
    issuer,
    clientId,
    clientSecret: read.text('OIDC_CLIENT_SECRET'),
    name: read.text('OIDC_NAME') ?? new URL(issuer).hostname,
    domains: domains(read, 'OIDC_DOMAINS'),
    trustedDomains: domains(read, 'OIDC_TRUSTED_DOMAINS'),
    groups: list(read, 'OIDC_GROUPS', ','),
    groupsClaim: read.text('OIDC_GROUPS_CLAIM') ?? 'groups',
    groupRoles: list(read, 'OIDC_GROUP_ROLES', ';').map(toGroupRole),
  };
}

function list(read: Reader, name: string, separator: string): string[] {
  const entries = read.text(name)?.split(separator) ?? [];
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

function domains(read: Reader, name: string): string[] {
  return list(read, name, ',').map((domain) => domain.toLowerCase().replace(/^@/, ''));
}

/** `Support staff = agent @ Majan Homes`. The spaces around the signs do not count. */
function toGroupRole(entry: string): GroupRole {
  const [, group, role, workspace] = /^(.+?)\s*=\s*(\w+)\s*@\s*(.+)$/.exec(entry) ?? [];
  if (group && workspace && isRole(role ?? null)) return { group, role: role as Role, workspace };
  throw new CannotRun(
    `OIDC_GROUP_ROLES has ${JSON.stringify(entry)}, but must be a list of GROUP=ROLE@WORKSPACE with one of ${roles.join(', ')}, separated by semicolons`,
  );
}
