import { mayAct, type Role, roles } from '@majlis/console-api/roles';
import { useState } from 'react';
import type { Membership } from '../live/membership.ts';
import { request } from '../live/request.ts';
import { Choice } from '../parts/choice.tsx';
import { CopyBox } from '../parts/copy-box.tsx';
import { Dialog, DialogClose } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { EmailField } from '../sign-in/fields.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';

interface Props {
  membership: Membership;
  onClose: () => void;
  onInvited: () => Promise<unknown>;
}

/** Makes an invitation, and shows its link where the service sends no e-mail. */
export function InviteDialog({ membership, onClose, onInvited }: Props) {
  const [role, setRole] = useState<Role>('agent');
  const [made, setMade] = useState<{ link?: string; email: string }>();
  async function send(form: FormData) {
    const email = String(form.get('email'));
    const path = `/workspaces/${membership.workspace_id}/invitations`;
    const { link } = await request<{ link?: string }>('POST', path, { email, role });
    setMade({ ...(link && { link }), email });
    await onInvited();
  }
  return (
    <Dialog title={t('members.invite_title')} onClose={onClose}>
      {made ? (
        <>
          <p>{t(made.link ? 'members.invite_link' : 'members.invite_mailed', { email: isolated(made.email) })}</p>
          {made.link && <CopyBox text={made.link} label={t('members.invite_title')} />}
          <DialogClose onClose={onClose} />
        </>
      ) : (
        <Form place="dialog" submit={t('members.invite_send')} send={send} onCancel={onClose}>
          <EmailField autoFocus />
          <Choice label={t('members.role')} options={roleOptions(membership.role)} value={role} onChange={setRole} />
        </Form>
      )}
    </Dialog>
  );
}

/** A person gives away no more than their own role. */
export function roleOptions(own: Role) {
  return roles
    .filter((role) => mayAct(own, role))
    .map((role) => ({ id: role, label: t(`role.${role}`), hint: t(`role.${role}_hint`) }));
}
