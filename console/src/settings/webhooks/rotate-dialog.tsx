import { useState } from 'react';
import { confirmed } from '../../app/confirm.tsx';
import { request } from '../../live/request.ts';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { SecretDialog, SecretText } from '../../parts/secret-dialog.tsx';
import { t } from '../../words/words.ts';

const overlaps = { none: 0, day: 86_400, week: 7 * 86_400 } as const;
type Overlap = keyof typeof overlaps;

interface Props {
  path: string;
  onClose: () => void;
  onRotated: () => Promise<unknown>;
}

/** Gives an endpoint a new secret, and shows it once. */
export function RotateDialog({ path, onClose, onRotated }: Props) {
  const [overlap, setOverlap] = useState<Overlap>('day');
  const [secret, setSecret] = useState<string>();
  async function send() {
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
      <Form place="dialog" submit={t('webhooks.rotate')} send={send} onCancel={onClose}>
        <p>{t('webhooks.rotate_hint')}</p>
        <Choice
          label={t('webhooks.overlap')}
          options={[
            { id: 'day', label: t('webhooks.overlap_day') },
            { id: 'week', label: t('webhooks.overlap_week') },
            { id: 'none', label: t('webhooks.overlap_none'), hint: t('webhooks.overlap_none_hint') },
          ]}
          value={overlap}
          onChange={setOverlap}
        />
      </Form>
    </Dialog>
  );
}
