import { consoleOperations, type Member } from '@majlis/console-api';
import { countMemberUse } from '../analytics/count-use.ts';
import { replaceReference } from '../conversations/change/replace-reference.ts';
import { parseId, publicId } from '../database/ids.ts';
import { transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { forgetMember } from '../inbox/forget.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import { linkTo } from '../people/link-to.ts';
import { deleteInvitation, listInvitations } from '../people/links.ts';
import { mailInvitation } from '../people/mail-links.ts';
import { changeMember, inviteMember, removeMember } from '../people/members.ts';
import { listMembers, type MemberRow, memberVersion } from '../people/memberships.ts';
import type { SignInContext } from '../people/sign-in.ts';
import { withinQuota } from '../workspaces/within-quota.ts';
import type { PersonCaller } from './authenticate-person.ts';
import type { ServeConsole } from './serve-console.ts';

export function memberRoutes(serve: ServeConsole, context: SignInContext): void {
  const { pool, clock, config } = context;

  serve(consoleOperations.listMembers, async ({ caller }) => ({
    status: 200,
    body: { data: (await listMembers(pool, caller.workspace_id)).map(presentMember) },
  }));

  serve(consoleOperations.changeMember, async ({ caller, params, body }) => {
    const member = await transaction(pool, async (tx) => {
      const changed = await changeMember(tx, clock, caller, parseId('user', params.user_id), body);
      const { version: _, ...change } = body;
      await recordActs(tx, clock, [toAct(caller, 'changeMember', { user_id: params.user_id }, change)]);
      return changed;
    });
    return { status: 200, body: presentMember(member) };
  });

  serve(consoleOperations.getMemberUse, async ({ caller: { workspace_id }, params }) => {
    const id = requireId('user', params.user_id);
    const member = (await listMembers(pool, workspace_id)).find((one) => one.id === id);
    if (!member) throw new Refusal('not_found');
    const { email } = member;
    return { status: 200, body: await countMemberUse(pool, clock.now(), { workspace_id, id, email }) };
  });

  serve(consoleOperations.removeMember, async ({ caller, params }) => {
    await transaction(pool, async (tx) => {
      const id = parseId('user', params.user_id);
      await removeMember(tx, clock, caller, id);
      const { workspace_id, user_id } = caller;
      const actor = { kind: 'user' as const, id: user_id };
      await replaceReference(tx, clock, { workspace_id, of: 'user', from_id: id!, to_id: null, actor });
      await forgetMember(tx, workspace_id, id!);
      await recordActs(tx, clock, [toAct(caller, 'removeMember', { user_id: params.user_id })]);
    });
    return { status: 204 };
  });

  serve(consoleOperations.listInvitations, async ({ caller }) => {
    const data = (await listInvitations(pool, caller.workspace_id, clock)).map((row) => ({
      id: publicId('invitation', row.id),
      email: row.email,
      role: row.role,
      ...(row.invited_by && { invited_by: publicId('user', row.invited_by) }),
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
    }));
    return { status: 200, body: { data } };
  });

  serve(consoleOperations.inviteMember, async ({ caller, body }) => {
    // An admin who saw a mailed link could prove the address of somebody else with it.
    const by_hand = config.smtpUrl === undefined;
    const { invitation, token } = await transactionOf(caller, pool, async (tx) => {
      const holder = { workspace_id: caller.workspace_id, kind: 'invitations' } as const;
      const invited = await withinQuota(tx, config.quotas, holder, () =>
        inviteMember(tx, clock, caller, { ...body, by_hand }),
      );
      const { id, email, role } = invited.invitation;
      const { workspace_id } = caller;
      if (!by_hand) await mailInvitation(tx, context, { workspace_id, email, token: invited.token });
      await recordActs(tx, clock, [toAct(caller, 'inviteMember', { invitation_id: id }, { email, role })]);
      return invited;
    });
    return {
      status: 201,
      body: { invitation, ...(by_hand && { link: linkTo(config.publicUrl, 'invitation', token) }) },
    };
  });

  serve(consoleOperations.withdrawInvitation, async ({ caller, params }) => {
    await transactionOf(caller, pool, async (tx) => {
      const id = requireId('invitation', params.invitation_id);
      if (!(await deleteInvitation(tx, caller.workspace_id, id))) throw new Refusal('not_found');
      await recordActs(tx, clock, [toAct(caller, 'withdrawInvitation', { invitation_id: params.invitation_id })]);
    });
    return { status: 204 };
  });
}

export function toAct(
  { workspace_id, user_id, address }: PersonCaller,
  action: keyof typeof consoleOperations,
  targets: Record<string, string>,
  details?: object,
) {
  return { workspace_id, user_id, address, action, targets, ...(details && { details }) };
}

function presentMember(row: MemberRow): Member {
  const { id, name, email, role, own_teams_only, joined_at } = row;
  return {
    user_id: publicId('user', id),
    name,
    email,
    ...(role !== null && { role }),
    own_teams_only,
    ...(joined_at && { joined_at: joined_at.toISOString() }),
    version: memberVersion(row),
  };
}
