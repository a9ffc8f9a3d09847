import { isRole, roles } from '@majlis/console-api';
import { type Static, Type } from 'typebox';
import type { Connection } from '../database/pool.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { linkTo } from '../people/link-to.ts';
import { makeLink } from '../people/links.ts';
import { findPersonByEmail, isEmail, normalizeEmail } from '../people/people.ts';
import type { Resources } from '../process/resources.ts';
import { findWorkspaceByName } from '../workspaces/queries.ts';

/** `sign_in` makes a link that signs in at once; `invitation` one with which a person joins; `reset` one for a new password. */
export const LinkOrder = Type.Object({
  kind: Type.Enum(['invitation', 'sign_in', 'reset'], { type: 'string' }),
  email: Type.String(),
  workspace: Type.Optional(Type.String({ description: 'The name.' })),
  role: Type.Optional(Type.String()),
});
export type LinkOrder = Static<typeof LinkOrder>;

/** Makes a link for a person on the operator's word. The answer shows it once. */
export async function makeOperatorLink(
  { pool, clock, config }: Pick<Resources, 'pool' | 'clock' | 'config'>,
  { kind, email, workspace, role = 'owner' }: LinkOrder,
): Promise<{ link: string; path: string; expires_at: string }> {
  const address = normalizeEmail(email);
  if (!isEmail(address)) throw invalid({ detail: 'is no e-mail address', pointer: '/email' });
  if (!isRole(role)) throw invalid({ detail: `is none of ${roles.join(', ')}`, pointer: '/role' });
  if (kind === 'reset' && !(await findPersonByEmail(pool, address))) {
    throw new Refusal('not_found', { detail: 'No person has this e-mail address.' });
  }
  const workspace_id = kind === 'reset' ? null : await findNamedWorkspace(pool, workspace);
  const granted = kind === 'reset' ? null : role;
  const link = { kind, email: address, workspace_id, role: granted, invited_by: null, by_hand: false };
  const { token, expires_at } = await makeLink(pool, clock, link);
  return {
    link: linkTo(config.publicUrl, kind, token),
    path: linkTo('', kind, token),
    expires_at: expires_at.toISOString(),
  };
}

/** Refuses where no workspace has the name. */
export async function findNamedWorkspace(connection: Connection, name: string | undefined): Promise<string> {
  if (name === undefined) throw invalid({ detail: 'is required', pointer: '/workspace' });
  const row = await findWorkspaceByName(connection, name);
  if (!row) throw new Refusal('not_found', { detail: `No workspace is called ${JSON.stringify(name)}.` });
  return row.id;
}
