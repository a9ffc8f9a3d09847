import type { SignInState } from '@majlis/console-api';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { useLocation } from 'wouter';
import { request } from '../live/request.ts';
import { loadSession } from '../live/session.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';
import { Card, formStyle } from './card.tsx';
import { CodeForm } from './code-form.tsx';
import { LinkPage } from './link-page.tsx';
import { takeToken } from './token.ts';
import { useForm } from './use-form.ts';

/** Sets a new password with a link. */
export function ResetPage() {
  const token = takeToken();
  return (
    <LinkPage kind="reset" token={token}>
      {() => <ResetForm token={token} />}
    </LinkPage>
  );
}

function ResetForm({ token }: { token: string }) {
  const [, navigate] = useLocation();
  const [awaitsCode, setAwaitsCode] = useState(false);
  async function enter() {
    await loadSession();
    navigate('/', { replace: true });
  }
  const { isPending, fault, faultOf, onSubmit } = useForm(async (form) => {
    const { state } = await request<SignInState>('POST', '/password/reset', { token, password: form.get('password') });
    if (state === 'second_factor') setAwaitsCode(true);
    else await enter();
  });
  if (awaitsCode) return <CodeForm onSignedIn={enter} />;
  return (
    <Card title={t('reset.title')} hint={t('reset.hint')}>
      <Form className={formStyle} onSubmit={onSubmit}>
        {fault && <Notice kind="danger">{fault}</Notice>}
        <Field
          label={t('security.password_new')}
          hint={t('password.hint')}
          error={faultOf('password')}
          name="password"
          type="password"
          autoComplete="new-password"
          isRequired
          autoFocus
        />
        <Button type="submit" look="primary" wide isPending={isPending}>
          {t('reset.submit')}
        </Button>
      </Form>
    </Card>
  );
}
