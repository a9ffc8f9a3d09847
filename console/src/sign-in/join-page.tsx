import type { LinkDetails, SignInState } from '@majlis/console-api';
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

/** Joins a workspace with the link of an invitation. */
export function JoinPage() {
  const token = takeToken();
  return (
    <LinkPage kind="invitation" token={token}>
      {(link) => <JoinForm link={link} token={token} />}
    </LinkPage>
  );
}

function JoinForm({ link, token }: { link: LinkDetails; token: string }) {
  const [, navigate] = useLocation();
  const [awaitsCode, setAwaitsCode] = useState(false);
  async function enter() {
    await loadSession();
    navigate('/', { replace: true });
  }
  const { isPending, fault, faultOf, onSubmit } = useForm(async (form) => {
    const name = form.get('name');
    const body = { token, password: form.get('password'), ...(name && { name }) };
    const { state } = await request<SignInState>('POST', '/invitations/accept', body);
    if (state === 'second_factor') setAwaitsCode(true);
    else await enter();
  });
  if (awaitsCode) return <CodeForm onSignedIn={enter} />;
  const role = link.role ? t(`role.${link.role}`) : '';
  return (
    <Card
      title={t('join.title', { workspace: link.workspace_name ?? '' })}
      hint={t('join.hint', { role, email: `\u2068${link.email}\u2069` })}
    >
      <Form className={formStyle} onSubmit={onSubmit}>
        {fault && <Notice kind="danger">{fault}</Notice>}
        {/* Password managers keep the password under this name. */}
        <input type="hidden" name="username" autoComplete="username" value={link.email} />
        {!link.has_account && (
          <Field label={t('join.name')} error={faultOf('name')} name="name" autoComplete="name" isRequired autoFocus />
        )}
        <Field
          label={t(link.has_account ? 'join.password_known' : 'join.password_new')}
          {...(!link.has_account && { hint: t('password.hint') })}
          error={faultOf('password')}
          name="password"
          type="password"
          autoComplete={link.has_account ? 'current-password' : 'new-password'}
          isRequired
        />
        <Button type="submit" look="primary" wide isPending={isPending}>
          {t('join.submit')}
        </Button>
      </Form>
    </Card>
  );
}
