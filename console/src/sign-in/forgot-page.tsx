import { useState } from 'react';
import { Link } from 'wouter';
import { request } from '../live/request.ts';
import { Form } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';
import { Card, linkStyle } from './card.tsx';
import { EmailField } from './fields.tsx';
import { useMethods } from './use-methods.ts';

/** Asks for a link to set a new password. */
export function ForgotPage() {
  const [isSent, setSent] = useState(false);
  const methods = useMethods();
  async function send(form: FormData) {
    await request('POST', '/password/forgot', { email: form.get('email') });
    setSent(true);
  }
  return (
    <Card title={t('forgot.title')} hint={t('forgot.hint')}>
      {methods?.email === false && <Notice>{t('forgot.no_email')}</Notice>}
      {isSent && <Notice kind="success">{t('forgot.sent')}</Notice>}
      {methods?.email !== false && !isSent && (
        <Form place="card" submit={t('forgot.submit')} send={send}>
          <EmailField autoFocus />
        </Form>
      )}
      <Link href="/" className={linkStyle}>
        {t('app.back')}
      </Link>
    </Card>
  );
}
