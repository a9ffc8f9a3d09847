import type { LinkDetails, Role } from '@majlis/console-api';
import { newId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';
import type { Clock } from '../process/clock.ts';
import { hashToken, newToken } from './token.ts';

export type LinkKind = LinkDetails['kind'];

export interface Link {
  id: string;
  kind: LinkKind;
  email: string;
  workspace_id: string | null;
  role: Role | null;
  invited_by: string | null;
  /** An admin saw the link and gives it away by hand: its use proves no address. */
  by_hand: boolean;
  expires_at: Date;
}

const daySeconds = 86_400;

/** Answers the token, which the link carries in its fragment: no server or proxy logs it there. */
export async function makeLink(
  connection: Connection,
  clock: Clock,
  link: Omit<Link, 'id' | 'expires_at'>,
): Promise<{ id: string; token: string; created_at: Date; expires_at: Date }> {
  const { token, token_hash } = newToken();
  const id = newId(clock);
  const created_at = clock.now();
  const expires_at = new Date(created_at.getTime() + daySeconds * 1000);
  await run(connection, build.insertInto('sign_in_links').values({ ...link, id, token_hash, created_at, expires_at }));
  return { id, token, created_at, expires_at };
}

const columns = 'id, kind, email, workspace_id, role, invited_by, by_hand, expires_at';
const selectLink = statement<Link>(`
  select ${columns} from sign_in_links where token_hash = $1 and expires_at > $2`);
const selectInvitationsTo = statement<Link>(`
  select ${columns} from sign_in_links where kind = 'invitation' and email = $1 and expires_at > $2 order by created_at`);
const deleteLink = statement<Link>(`
  delete from sign_in_links where token_hash = $1 and kind = any($2) and expires_at > $3 returning ${columns}`);

export async function findLink(connection: Connection, clock: Clock, token: string): Promise<Link | undefined> {
  return (await selectLink(connection, [hashToken(token), clock.now()]))[0];
}

/** Uses up a link of one of these kinds. Of two uses at once, the second finds nothing. */
export async function useLink(
  connection: Connection,
  clock: Clock,
  kinds: readonly LinkKind[],
  token: string,
): Promise<Link | undefined> {
  return (await deleteLink(connection, [hashToken(token), kinds, clock.now()]))[0];
}

/** Withdraws the links of these kinds to an address, such as those before a newer one. */
export async function deleteLinksTo(connection: Connection, kinds: readonly LinkKind[], email: string): Promise<void> {
  await run(connection, build.deleteFrom('sign_in_links').where('kind', 'in', kinds).where('email', '=', email));
}

export async function deleteInvitationsTo(connection: Connection, workspace_id: string, email: string): Promise<void> {
  await run(
    connection,
    build.deleteFrom('sign_in_links').where('workspace_id', '=', workspace_id).where('email', '=', email),
  );
}

/** The open invitations of all workspaces to an address. */
export async function listInvitationsTo(connection: Connection, clock: Clock, email: string): Promise<Link[]> {
  return selectInvitationsTo(connection, [email, clock.now()]);
}

export function listInvitations(connection: Connection, workspace_id: string, clock: Clock) {
  const query = build
    .selectFrom('sign_in_links')
    .select(['id', 'email', 'role', 'invited_by', 'created_at', 'expires_at'])
    .where('workspace_id', '=', workspace_id)
    .where('kind', '=', 'invitation')
    .where('expires_at', '>', clock.now())
    .orderBy('created_at', 'desc');
  return run(connection, query);
}

/** False where the workspace has no such invitation. */
export async function deleteInvitation(connection: Connection, workspace_id: string, id: string): Promise<boolean> {
  const query = build
    .deleteFrom('sign_in_links')
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .returning('id');
  return (await run(connection, query)).length > 0;
}

const deleteMadeBy = statement(`
  delete from sign_in_links where workspace_id = $1 and invited_by = $2 and not role = any($3)`);

/** Withdraws the invitations that a member made, but for those to the roles that they may still give. */
export async function deleteInvitationsBy(
  connection: Connection,
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
  roles: readonly Role[],
): Promise<void> {
  await deleteMadeBy(connection, [workspace_id, user_id, roles]);
}

const deleteExpired = statement(`delete from sign_in_links where expires_at <= $1`);

export async function deleteExpiredLinks(connection: Connection, clock: Clock): Promise<void> {
  await deleteExpired(connection, [clock.now()]);
}
