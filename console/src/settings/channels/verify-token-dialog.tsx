import { useState } from 'react';
import { confirmed } from '../../app/confirm.tsx';
import { request } from '../../live/request.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { t } from '../../words/words.ts';
import { CallbackValues } from './callback-values.tsx';

interface Made {
  callback_url: string;
  verify_token: string;
}

/** Makes a new verify token and shows it once. */
export function VerifyTokenDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const [made, setMade] = useState<Made>();
  async function send() {
    setMade(await confirmed(() => request<Made>('POST', `${path}/verify-token`)));
  }
  if (made) {
    return (
      <SecretDialog
        title={t('channels.token_made')}
        hint={t('channels.verify_token_once')}
        text={made.verify_token}
        file="majlis-verify-token.txt"
        onClose={onClose}
      >
        <CallbackValues {...made} />
      </SecretDialog>
    );
  }
  return (
    <Dialog title={t('channels.token_title')} onClose={onClose}>
      <Form place="dialog" submit={t('channels.token')} send={send} onCancel={onClose}>
        <p>{t('channels.token_hint')}</p>
      </Form>
    </Dialog>
  );
}
