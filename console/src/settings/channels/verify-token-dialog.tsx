import { useState } from 'react';
import { confirmed } from '../../app/confirm.tsx';
import { request } from '../../live/request.ts';
import { Dialog, DialogClose } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
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
      <Dialog title={t('channels.token_made')} onClose={onClose}>
        <Notice>{t('channels.verify_token_once')}</Notice>
        <CallbackValues {...made} />
        <DialogClose onClose={onClose} />
      </Dialog>
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
