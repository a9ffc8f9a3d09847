import type { Invitation, Member } from '@majlis/console-api';
import { isRole, mayAct, type Role, roles } from '@majlis/console-api/roles';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import type { Membership } from '../app/shell.tsx';
import { request, sentenceOf } from '../live/request.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { CopyBox } from '../parts/copy-box.tsx';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { Loading } from '../parts/empty.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { Switch } from '../parts/switch.tsx';
import { tell } from '../parts/toasts.tsx';
import { useForm } from '../sign-in/use-form.ts';
import { fullTime, t } from '../words/words.ts';
import { formStyle, listStyle, Page, rowStyle, rowTextStyle, Section, softStyle } from './page.tsx';

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
    try {
      await request('PATCH', `${base}/members/${member.user_id}`, changed);
      tell(t('app.saved'));
    } catch (error) {
      tell(sentenceOf(error), 'danger');
    }
    await refresh();
  }

  return (
    <Page
      title={t('members.title')}
      hint={t('members.hint')}
      action={
        isManager && (
          <Button look="primary" onPress={() => setInviting(true)}>
            <UserPlus size={18} aria-hidden />
            {t('members.invite')}
          </Button>
        )
      }
    >
      {members.error && <Notice kind="danger">{sentenceOf(members.error)}</Notice>}
      {members.isPending && <Loading label={t('app.loading')} />}
      {members.data && (
        <ul className={listStyle}>
          {members.data.data.map((member) => (
            <MemberRow
              key={member.user_id}
              member={member}
              membership={membership}
              onChange={(changed) => change(member, changed)}
              onRemove={() => setLeaver(member)}
            />
          ))}
        </ul>
      )}
      {isManager && <Invitations base={base} />}
      {isInviting && <InviteDialog membership={membership} onClose={() => setInviting(false)} onInvited={refresh} />}
      {leaver && <RemoveDialog base={base} member={leaver} onClose={() => setLeaver(undefined)} onRemoved={refresh} />}
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
  return (
    <li className={rowStyle}>
      <Avatar name={name} />
      <div className={rowTextStyle}>
        <bdi>{name}</bdi> {member.user_id === membership.user_id && <Badge kind="accent">{t('members.you')}</Badge>}{' '}
        {!joined_at && <Badge>{t('members.not_joined')}</Badge>}
        <p className={softStyle}>
          <bdi dir="ltr">{email}</bdi>
        </p>
        {mayChange && known === 'agent' && (
          <Switch
            label={t('members.own_teams_only')}
            isSelected={own_teams_only}
            onChange={(isOn) => onChange({ own_teams_only: isOn })}
          />
        )}
      </div>
      {mayChange ? (
        <Choice
          label={t('members.role_of', { name })}
          isLabelHidden
          options={roleOptions(membership.role)}
          value={known}
          onChange={(chosen) => onChange({ role: chosen })}
        />
      ) : (
        <Badge>{known ? t(`role.${known}`) : role}</Badge>
      )}
      {mayChange && (
        <Button look="quiet" onPress={onRemove}>
          {t('members.remove')}
        </Button>
      )}
    </li>
  );
}

/** A person gives away no more than their own role. */
function roleOptions(own: Role) {
  return roles
    .filter((role) => mayAct(own, role))
    .map((role) => ({ id: role, label: t(`role.${role}`), hint: t(`role.${role}_hint`) }));
}

function Invitations({ base }: { base: string }) {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: [base, 'invitations'],
    queryFn: () => request<{ data: Invitation[] }>('GET', `${base}/invitations`),
  });
  if (!data || data.data.length === 0) return null;
  async function withdraw(id: string) {
    try {
      await request('DELETE', `${base}/invitations/${id}`);
    } catch (error) {
      tell(sentenceOf(error), 'danger');
    }
    await queries.invalidateQueries({ queryKey: [base, 'invitations'] });
  }
  return (
    <Section title={t('members.open_invitations')}>
      <ul className={listStyle}>
        {data.data.map(({ id, email, role, expires_at }) => (
          <li key={id} className={rowStyle}>
            <div className={rowTextStyle}>
              <bdi dir="ltr">{email}</bdi>
              <p className={softStyle}>{t('members.invited_until', { time: fullTime(expires_at) })}</p>
            </div>
            <Badge>{t(`role.${role}`)}</Badge>
            <Button look="quiet" onPress={() => withdraw(id)}>
              {t('members.withdraw')}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface InviteDialogProps {
  membership: Membership;
  onClose: () => void;
  onInvited: () => Promise<unknown>;
}

function InviteDialog({ membership, onClose, onInvited }: InviteDialogProps) {
  const [role, setRole] = useState<Role>('agent');
  const [made, setMade] = useState<{ link: string; email: string }>();
  const { isPending, fault, faultOf, onSubmit } = useForm(async (form) => {
    const email = String(form.get('email'));
    const path = `/workspaces/${membership.workspace_id}/invitations`;
    const { link } = await request<{ link: string }>('POST', path, { email, role });
    setMade({ link, email });
    await onInvited();
  });
  return (
    <Dialog title={t('members.invite_title')} onClose={onClose}>
      {made ? (
        <>
          <p>{t('members.invite_link', { email: `\u2068${made.email}\u2069` })}</p>
          <CopyBox text={made.link} label={t('members.invite_title')} />
          <DialogActions>
            <Button look="primary" onPress={onClose}>
              {t('app.close')}
            </Button>
          </DialogActions>
        </>
      ) : (
        <Form className={formStyle} onSubmit={onSubmit}>
          {fault && <Notice kind="danger">{fault}</Notice>}
          <Field
            label={t('sign_in.email')}
            error={faultOf('email')}
            name="email"
            type="email"
            ltr
            isRequired
            autoFocus
          />
          <Choice label={t('members.role')} options={roleOptions(membership.role)} value={role} onChange={setRole} />
          <DialogActions>
            <Button onPress={onClose}>{t('app.cancel')}</Button>
            <Button type="submit" look="primary" isPending={isPending}>
              {t('members.invite_send')}
            </Button>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  );
}

interface RemoveDialogProps {
  base: string;
  member: Member;
  onClose: () => void;
  onRemoved: () => Promise<unknown>;
}

function RemoveDialog({ base, member, onClose, onRemoved }: RemoveDialogProps) {
  const [fault, setFault] = useState<string>();
  async function remove() {
    try {
      await request('DELETE', `${base}/members/${member.user_id}`);
      await onRemoved();
      onClose();
    } catch (error) {
      setFault(sentenceOf(error));
    }
  }
  return (
    <Dialog title={t('members.remove_title', { name: `\u2068${member.name}\u2069` })} onClose={onClose}>
      {fault && <Notice kind="danger">{fault}</Notice>}
      <p>{t('members.remove_hint')}</p>
      <DialogActions>
        <Button onPress={onClose}>{t('app.cancel')}</Button>
        <Button look="danger" onPress={remove}>
          {t('members.remove')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
