import type { SignInState } from '@majlis/console-api';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { Link } from 'wouter';
import { request } from '../live/request.ts';
import { loadSession } from '../live/session.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';
import { Card, formStyle, linkStyle } from './card.tsx';
import { CodeForm } from './code-form.tsx';
import { useForm } from './use-form.ts';

/** Shown in the place of any page, so that a person comes back to where they were. */
export function SignInPage({ wasSignedIn }: { wasSignedIn: boolean }) {
  const [awaitsCode, setAwaitsCode] = useState(false);
  if (awaitsCode) return <CodeForm onSignedIn={loadSession} />;
  return (
    <Card title={t('sign_in.title')}>
      {wasSignedIn && <Notice>{t('sign_in.signed_out')}</Notice>}
      <PasswordForm onCode={() => setAwaitsCode(true)} />
    </Card>
  );
}

function PasswordForm({ onCode }: { onCode: () => void }) {
  const { isPending, fault, faultOf, onSubmit } = useForm(async (form) => {
    const body = { email: form.get('email'), password: form.get('password') };
    const { state } = await request<SignInState>('POST', '/sign-in', body);
    if (state === 'second_factor') onCode();
    else await loadSession();
  });
  return (
    <Form className={formStyle} onSubmit={onSubmit}>
      {fault && <Notice kind="danger">{fault}</Notice>}
      <Field
        label={t('sign_in.email')}
        error={faultOf('email')}
        name="email"
        type="email"
        autoComplete="username"
        ltr
        isRequired
        autoFocus
      />
      <Field
        label={t('sign_in.password')}
        error={faultOf('password')}
        name="password"
        type="password"
        autoComplete="current-password"
        isRequired
      />
      <Button type="submit" look="primary" wide isPending={isPending}>
        {t('sign_in.submit')}
      </Button>
      <Link href="/forgot" className={linkStyle}>
        {t('sign_in.forgot')}
      </Link>
    </Form>
  );
}
