import type { LinkDetails } from '@majlis/console-api';
import { useState } from 'react';
import { Failure } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { Card } from './card.tsx';
import { NewPasswordField, PasswordField } from './fields.tsx';
import { LinkPage } from './link-page.tsx';
import { OtherWays } from './other-ways.tsx';
import { providerWay } from './sign-in-page.tsx';
import { type FirstStep, SignInSteps } from './sign-in-steps.tsx';
import { takeToken } from './token.ts';
import { useMethods } from './use-methods.ts';

/** Joins a workspace with the link of an invitation. */
export function JoinPage() {
  const token = takeToken();
  return (
    <LinkPage kind="invitation" token={token}>
      {(link) => <SignInSteps target="/">{(take) => <JoinForm link={link} token={token} take={take} />}</SignInSteps>}
    </LinkPage>
  );
}

/** The service does not tell whether the address has an account, so the person says it. */
type Account = 'new' | 'known' | 'found';

function JoinForm({ link, token, take }: { link: LinkDetails; token: string; take: FirstStep }) {
  const role = link.role ? t(`role.${link.role}`) : '';
  const methods = useMethods();
  const [account, setAccount] = useState<Account>('new');
  async function send(form: FormData) {
    const members = ['name', 'password'].flatMap((name) => (form.has(name) ? [[name, form.get(name)]] : []));
    try {
      await take('/invitations/accept', { token, ...Object.fromEntries(members) });
    } catch (error) {
      const hasAccount = account === 'new' && error instanceof Failure && error.code === 'sign_in_failed';
      if (!hasAccount) throw error;
      setAccount('found');
    }
  }
  return (
    <Card
      title={t('join.title', { workspace: link.workspace_name ?? '' })}
      hint={t('join.hint', { role, email: isolated(link.email) })}
    >
      {/* Another form, so that no password stays in a field of another meaning. */}
      <Form key={account} place="card" submit={t('join.submit')} send={send}>
        {account === 'found' && <Notice>{t('join.found')}</Notice>}
        {/* Password managers keep the password under this name. */}
        <input type="hidden" name="username" autoComplete="username" value={link.email} />
        {!link.is_yours && <AccountFields account={account} />}
      </Form>
      {!link.is_yours && (
        <Button look="quiet" onPress={() => setAccount(account === 'new' ? 'known' : 'new')}>
          {t(account === 'new' ? 'join.have_account' : 'join.have_none')}
        </Button>
      )}
      {methods?.oidc_name && !link.is_yours && <OtherWays ways={[providerWay(methods.oidc_name, token)]} />}
    </Card>
  );
}

function AccountFields({ account }: { account: Account }) {
  if (account !== 'new') return <PasswordField label={t('join.password_known')} autoFocus />;
  return (
    <>
      <Field label={t('join.name')} name="name" autoComplete="name" isRequired autoFocus />
      <NewPasswordField label={t('join.password_new')} />
    </>
  );
}
