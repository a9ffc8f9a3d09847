import { Suspense, useState } from 'react';
import { attempt } from '../app/attempt.ts';
import { confirmed } from '../app/confirm.tsx';
import { request } from '../live/request.ts';
import { loadSession } from '../live/session.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { CopyBox } from '../parts/copy-box.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { lazyPiece } from '../parts/lazy-piece.ts';
import { Section } from '../parts/page.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { CodeField } from '../sign-in/fields.tsx';
import { t } from '../words/words.ts';
import styles from './totp-section.module.css';

// The code of a picture is for this dialog alone.
const QrCode = lazyPiece(async () => (await import('../parts/qr-code.tsx')).QrCode);

interface Setup {
  secret: string;
  uri: string;
}

/** The authenticator app of the person. */
export function TotpSection({ hasTotp }: { hasTotp: boolean }) {
  const [setup, setSetup] = useState<Setup>();
  const begin = () => attempt(async () => setSetup(await confirmed(() => request<Setup>('POST', '/totp', {}))));
  const remove = () =>
    attempt(async () => {
      await confirmed(() => request('DELETE', '/totp'));
      await loadSession();
    });
  return (
    <Section title={t('security.totp')}>
      <div className={styles.state}>
        <Button onPress={hasTotp ? remove : begin}>
          {t(hasTotp ? 'security.totp_remove' : 'security.totp_begin')}
        </Button>
        <Badge kind={hasTotp ? 'accent' : 'plain'}>{t(hasTotp ? 'security.totp_on' : 'security.totp_off')}</Badge>
      </div>
      {setup && <SetupDialog setup={setup} onClose={() => setSetup(undefined)} />}
    </Section>
  );
}

function SetupDialog({ setup, onClose }: { setup: Setup; onClose: () => void }) {
  const [codes, setCodes] = useState<string[]>();
  async function send(form: FormData) {
    const enable = () => request<{ recovery_codes: string[] }>('PUT', '/totp', { code: form.get('code') });
    setCodes((await confirmed(enable)).recovery_codes);
  }
  async function close() {
    onClose();
    if (codes) await loadSession();
  }
  if (codes) {
    return (
      <SecretDialog
        title={t('security.recovery')}
        hint={t('security.recovery_hint')}
        text={codes.join('\n')}
        file="majlis-recovery-codes.txt"
        onClose={close}
      >
        <ul className={styles.codes} dir="ltr">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </SecretDialog>
    );
  }
  return (
    <Dialog title={t('security.totp')} onClose={close}>
      <p>{t('security.totp_secret')}</p>
      <Suspense fallback={<div className={styles.code} />}>
        <QrCode text={setup.uri} label={t('security.totp_qr')} />
      </Suspense>
      <CopyBox text={setup.secret} label={t('security.totp')} />
      <p>
        <a href={setup.uri}>{t('security.totp_open')}</a>
      </p>
      <Form place="dialog" submit={t('sign_in.continue')} send={send} onCancel={close}>
        <CodeField />
      </Form>
    </Dialog>
  );
}
