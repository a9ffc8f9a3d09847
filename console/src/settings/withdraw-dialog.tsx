import type { Invitation } from '@majlis/console-api';
import { request } from '../live/request.ts';
import { serverNow } from '../live/session.ts';
import { isolated } from '../words/isolated.ts';
import { fullTime, t } from '../words/words.ts';
import { CountedDialog } from './counted-dialog.tsx';

const hourMs = 3_600_000;

interface Props {
  /** The path of all invitations. */
  path: string;
  invitation: Invitation;
  onClose: () => void;
  onWithdrawn: () => Promise<unknown>;
}

/** Asks before an invitation ends, and says what it gives and for how long. */
export function WithdrawDialog({ path, invitation: { id, email }, onClose, onWithdrawn }: Props) {
  async function withdraw() {
    await request('DELETE', `${path}/${id}`);
    await onWithdrawn();
  }
  return (
    <CountedDialog<{ data: Invitation[] }>
      title={t('members.withdraw_title', { email: isolated(email) })}
      path={path}
      action={t('members.withdraw')}
      act={withdraw}
      onClose={onClose}
    >
      {({ data }) => <Consequences invitation={data.find((one) => one.id === id)} />}
    </CountedDialog>
  );
}

function Consequences({ invitation }: { invitation: Invitation | undefined }) {
  if (!invitation) return <p>{t('members.withdraw_over')}</p>;
  const { role, expires_at } = invitation;
  const hours = Math.floor((Date.parse(expires_at) - serverNow()) / hourMs);
  return (
    <>
      <ul>
        <li>{t('members.withdraw_role', { role: isolated(t(`role.${role}`)) })}</li>
        <li>{t('members.withdraw_left', { count: Math.max(hours, 0), time: isolated(fullTime(expires_at)) })}</li>
      </ul>
      <p>{t('members.withdraw_hint')}</p>
    </>
  );
}
