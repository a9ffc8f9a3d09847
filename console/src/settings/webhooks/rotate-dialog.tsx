import type { EndpointState } from '@majlis/console-api';
import { useState } from 'react';
import { confirmed } from '../../app/confirm.tsx';
import { request } from '../../live/request.ts';
import { serverNow } from '../../live/session.ts';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { SecretDialog, SecretText } from '../../parts/secret-dialog.tsx';
import { isolated } from '../../words/isolated.ts';
import { fullTime, t } from '../../words/words.ts';
import { useReadNow } from '../counted-dialog.tsx';

const overlaps = { none: 0, day: 86_400, week: 7 * 86_400 } as const;
type Overlap = keyof typeof overlaps;
const mostCounted = 1_000;

interface Props {
  path: string;
  onClose: () => void;
  onRotated: () => Promise<unknown>;
}

/** Gives an endpoint a new secret, and shows it once. */
export function RotateDialog({ path, onClose, onRotated }: Props) {
  const state = useReadNow<EndpointState>(`${path}/state`);
  const [secret, setSecret] = useState<string>();
  async function rotate(overlap: Overlap) {
    const body = { overlap_seconds: overlaps[overlap] };
    const rotated = await confirmed(() => request<{ secret: string }>('POST', `${path}/rotate-secret`, body));
    setSecret(rotated.secret);
    await onRotated();
  }
  if (secret) {
    return (
      <SecretDialog
        title={t('webhooks.rotate_title')}
        hint={t('webhooks.secret_once')}
        text={secret}
        file="majlis-webhook-secret.txt"
        onClose={onClose}
      >
        <SecretText text={secret} label={t('webhooks.secret')} />
      </SecretDialog>
    );
  }
  return (
    <Dialog title={t('webhooks.rotate_title')} onClose={onClose}>
      <Loaded query={state}>{(now) => <RotateForm state={now} rotate={rotate} onClose={onClose} />}</Loaded>
    </Dialog>
  );
}

interface FormProps {
  state: EndpointState;
  rotate: (overlap: Overlap) => Promise<void>;
  onClose: () => void;
}

function RotateForm({ state: { waiting, old_secret_until }, rotate, onClose }: FormProps) {
  // While an older secret is valid, the server refuses another overlap.
  const [overlap, setOverlap] = useState<Overlap>(old_secret_until ? 'none' : 'day');
  const options = [
    { id: 'day' as const, label: t('webhooks.overlap_day') },
    { id: 'week' as const, label: t('webhooks.overlap_week') },
    { id: 'none' as const, label: t('webhooks.overlap_none'), hint: t('webhooks.overlap_none_hint') },
  ];
  const until = new Date(serverNow() + overlaps[overlap] * 1000).toISOString();
  return (
    <Form
      place="dialog"
      look={overlap === 'none' ? 'danger' : 'primary'}
      submit={t('webhooks.rotate')}
      send={() => rotate(overlap)}
      onCancel={onClose}
    >
      {old_secret_until && (
        <Notice>{t('webhooks.rotate_during', { time: isolated(fullTime(old_secret_until)) })}</Notice>
      )}
      <Choice
        label={t('webhooks.overlap')}
        options={options.filter(({ id }) => id === 'none' || !old_secret_until)}
        value={overlap}
        onChange={setOverlap}
      />
      <ul>
        <li>
          {t(overlap === 'none' ? 'webhooks.rotate_waiting_new' : 'webhooks.rotate_waiting_both', {
            count: Math.min(waiting, mostCounted),
            more: waiting > mostCounted ? '+' : '',
          })}
        </li>
        <li>
          {overlap === 'none'
            ? t('webhooks.rotate_at_once')
            : t('webhooks.rotate_until', { time: isolated(fullTime(until)) })}
        </li>
      </ul>
    </Form>
  );
}
