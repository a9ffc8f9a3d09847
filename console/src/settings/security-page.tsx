import type { Session } from '@majlis/console-api';
import { useState } from 'react';
import { confirmed } from '../app/confirm.tsx';
import { request } from '../live/request.ts';
import { loadSession } from '../live/session.ts';
import { Button } from '../parts/button.tsx';
import { Form } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page, Section } from '../parts/page.tsx';
import { tell } from '../parts/toasts.ts';
import { NewPasswordField } from '../sign-in/fields.tsx';
import { fullTime, listOf, t } from '../words/words.ts';
import { PasskeysSection } from './passkeys-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TotpSection } from './totp-section.tsx';

/** Password, passkeys, authenticator app and sessions of the person. */
export function SecurityPage({ session: { person } }: { session: Session }) {
  return (
    <Page title={t('security.title')} hint={person.email}>
      {person.proof && <ProofNotice proof={person.proof} />}
      <PasswordSection hasPassword={person.has_password} />
      <PasskeysSection />
      <TotpSection hasTotp={person.has_totp} />
      <SessionsSection />
    </Page>
  );
}

/** Somebody else may have made the account, so the person is told what is gone. */
function ProofNotice({ proof: { at, ended } }: { proof: NonNullable<Session['person']['proof']> }) {
  const names = ended.map((one) => t(`security.proof_${one}`));
  return <Notice>{t('security.proof', { date: fullTime(at), ended: listOf(names) })}</Notice>;
}

function PasswordSection({ hasPassword }: { hasPassword: boolean }) {
  const [isOpen, setOpen] = useState(false);
  async function send(form: FormData) {
    await confirmed(() => request('PUT', '/password', { password: form.get('password') }));
    setOpen(false);
    tell(t('security.password_changed'));
    await loadSession();
  }
  return (
    <Section title={t('security.password')}>
      {isOpen ? (
        <Form submit={t('app.save')} send={send} onCancel={() => setOpen(false)}>
          <NewPasswordField label={t('security.password_new')} autoFocus />
        </Form>
      ) : (
        <div>
          <Button onPress={() => setOpen(true)}>
            {t(hasPassword ? 'security.password_change' : 'security.password_set')}
          </Button>
        </div>
      )}
    </Section>
  );
}
