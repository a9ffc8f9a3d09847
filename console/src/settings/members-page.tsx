import type { Member } from '@majlis/console-api';
import { isRole, mayAct } from '@majlis/console-api/roles';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { attempt } from '../app/attempt.ts';
import type { Membership } from '../live/membership.ts';
import { request } from '../live/request.ts';
import { AskDialog } from '../parts/ask-dialog.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Switch } from '../parts/switch.tsx';
import { tell } from '../parts/toasts.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { Invitations } from './invitations.tsx';
import { InviteDialog, roleOptions } from './invite-dialog.tsx';

/** The people of a workspace, their roles and the open invitations. */
export function MembersPage({ membership }: { membership: Membership }) {
  const base = `/workspaces/${membership.workspace_id}`;
  const isManager = mayAct(membership.role, 'admin');
  const [isInviting, setInviting] = useState(false);
  const [leaver, setLeaver] = useState<Member>();
  const queries = useQueryClient();
  const members = useQuery({
    queryKey: [base, 'members'],
    queryFn: () => request<{ data: Member[] }>('GET', `${base}/members`),
  });
  const refresh = () => queries.invalidateQueries({ queryKey: [base] });

  async function change(member: Member, changed: Partial<Member>) {
    await attempt(async () => {
      await request('PATCH', `${base}/members/${member.user_id}`, changed);
      tell(t('app.saved'));
    });
    await refresh();
  }
  async function remove(member: Member) {
    await request('DELETE', `${base}/members/${member.user_id}`);
    await refresh();
  }

  const invite = isManager && (
    <Button look="primary" onPress={() => setInviting(true)}>
      <UserPlus size={18} aria-hidden />
      {t('members.invite')}
    </Button>
  );
  return (
    <Page title={t('members.title')} hint={t('members.hint')} action={invite}>
      <Loaded query={members}>
        {({ data }) => (
          <List>
            {data.map((member) => (
              <MemberRow
                key={member.user_id}
                member={member}
                membership={membership}
                onChange={(changed) => change(member, changed)}
                onRemove={() => setLeaver(member)}
              />
            ))}
          </List>
        )}
      </Loaded>
      {isManager && <Invitations base={base} />}
      {isInviting && <InviteDialog membership={membership} onClose={() => setInviting(false)} onInvited={refresh} />}
      {leaver && (
        <AskDialog
          title={t('members.remove_title', { name: isolated(leaver.name) })}
          hint={t('members.remove_hint')}
          action={t('members.remove')}
          act={() => remove(leaver)}
          onClose={() => setLeaver(undefined)}
        />
      )}
    </Page>
  );
}

interface MemberRowProps {
  member: Member;
  membership: Membership;
  onChange: (changed: Partial<Member>) => void;
  onRemove: () => void;
}

function MemberRow({ member, membership, onChange, onRemove }: MemberRowProps) {
  const { name, email, role = null, own_teams_only, joined_at } = member;
  const known = isRole(role) ? role : undefined;
  const mayChange = mayAct(membership.role, 'admin') && mayAct(membership.role, known ?? 'agent');
  const actions = mayChange ? (
    <>
      <Choice
        label={t('members.role_of', { name })}
        isLabelHidden
        options={roleOptions(membership.role)}
        value={known}
        onChange={(chosen) => onChange({ role: chosen })}
      />
      <Button look="quiet" onPress={onRemove}>
        {t('members.remove')}
      </Button>
    </>
  ) : (
    <Badge>{known ? t(`role.${known}`) : role}</Badge>
  );
  return (
    <Row
      start={<Avatar name={name} />}
      title={
        <>
          <bdi>{name}</bdi>
          {member.user_id === membership.user_id && <Badge kind="accent">{t('members.you')}</Badge>}
          {!joined_at && <Badge>{t('members.not_joined')}</Badge>}
        </>
      }
      end={actions}
    >
      <Soft>
        <bdi dir="ltr">{email}</bdi>
      </Soft>
      {mayChange && known === 'agent' && (
        <Switch
          label={t('members.own_teams_only')}
          isSelected={own_teams_only}
          onChange={(isOn) => onChange({ own_teams_only: isOn })}
        />
      )}
    </Row>
  );
}
