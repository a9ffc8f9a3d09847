import type { Member } from '@majlis/console-api';
import { isRole, mayAct } from '@majlis/console-api/roles';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { attempt } from '../app/attempt.ts';
import type { Membership } from '../live/membership.ts';
import { request } from '../live/request.ts';
import { useUsers } from '../live/users.ts';
import { useWorkingHours } from '../live/working-hours.ts';
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
import styles from './members-page.module.css';
import { RemovalDialog } from './use-counts.tsx';
import { WorkingHoursButton } from './working-hours-button.tsx';

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
  const hours = useWorkingHours(membership.workspace_id);
  const refresh = () => queries.invalidateQueries({ queryKey: [base] });

  async function change(member: Member, changed: Partial<Member>) {
    await attempt(async () => {
      await request('PATCH', `${base}/members/${member.user_id}`, { version: member.version, ...changed });
      tell(t('app.saved'));
    });
    await refresh();
  }
  async function setAvailable({ user_id }: Member, available: boolean) {
    await attempt(() => request('PUT', `${base}/users/${user_id}/availability`, { available }));
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
                isAtWork={hours.find(({ user_id }) => user_id === member.user_id)?.at_work ?? true}
                onChange={(changed) => change(member, changed)}
                onAvailable={(available) => setAvailable(member, available)}
                onRemove={() => setLeaver(member)}
              />
            ))}
          </List>
        )}
      </Loaded>
      {isManager && <Invitations base={base} />}
      {isInviting && <InviteDialog membership={membership} onClose={() => setInviting(false)} onInvited={refresh} />}
      {leaver && (
        <RemovalDialog
          title={t('members.remove_title', { name: isolated(leaver.name) })}
          hint={t('members.remove_hint')}
          counts={`${base}/members/${leaver.user_id}/use`}
          words={{
            open_conversations: 'use.member_conversations',
            teams: 'use.member_teams',
            invitations: 'use.member_invitations',
          }}
          action={t('members.remove')}
          act={() => request('DELETE', `${base}/members/${leaver.user_id}`)}
          workspace_id={membership.workspace_id}
          onClose={() => setLeaver(undefined)}
        />
      )}
    </Page>
  );
}

interface MemberRowProps {
  member: Member;
  membership: Membership;
  isAtWork: boolean;
  onChange: (changed: Partial<Member>) => void;
  onAvailable: (available: boolean) => void;
  onRemove: () => void;
}

function MemberRow({ member, membership, isAtWork, onChange, onAvailable, onRemove }: MemberRowProps) {
  const { name, email, role = null, own_teams_only, joined_at } = member;
  const known = isRole(role) ? role : undefined;
  const available = useUsers(membership.workspace_id).find(({ id }) => id === member.user_id)?.available;
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
      {joined_at && <WorkingHoursButton workspace_id={membership.workspace_id} user_id={member.user_id} name={name} />}
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
          {joined_at && available === false && <Badge>{t('members.away')}</Badge>}
          {joined_at && !isAtWork && <Badge>{t('work_hours.outside')}</Badge>}
        </>
      }
      end={actions}
    >
      <Soft>
        <bdi dir="ltr">{email}</bdi>
      </Soft>
      {mayChange && (
        <div className={styles.switches}>
          {joined_at && available !== undefined && (
            <Switch label={t('members.available')} isSelected={available} onChange={onAvailable} />
          )}
          {known === 'agent' && (
            <Switch
              label={t('members.own_teams_only')}
              isSelected={own_teams_only}
              onChange={(isOn) => onChange({ own_teams_only: isOn })}
            />
          )}
        </div>
      )}
    </Row>
  );
}
