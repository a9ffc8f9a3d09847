import { Link, useSearch } from 'wouter';
import { Failure, type FailureCode } from '../live/request.ts';
import { Form } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { Card, linkStyle } from './card.tsx';
import { EmailField, PasswordField } from './fields.tsx';
import { OtherWays, type Way } from './other-ways.tsx';
import { hasPasskeys, provePasskey } from './passkey.ts';
import { visitProvider } from './provider.ts';
import { type FirstStep, SignInSteps } from './sign-in-steps.tsx';
import { useMethods } from './use-methods.ts';

/** Shown in the place of any page, so that a person comes back to where they were. */
export function SignInPage({ wasSignedIn }: { wasSignedIn: boolean }) {
  const failed = new URLSearchParams(useSearch()).get('failed');
  return (
    <SignInSteps>
      {(take) => (
        <Card title={t('sign_in.title')}>
          {wasSignedIn && <Notice>{t('sign_in.signed_out')}</Notice>}
          {failed !== null && <Notice kind="danger">{new Failure(failed as FailureCode).sentence}</Notice>}
          <Form
            place="card"
            submit={t('sign_in.submit')}
            send={(form) => take('/sign-in', { email: form.get('email'), password: form.get('password') })}
          >
            <EmailField autoFocus />
            <PasswordField />
          </Form>
          <WaysIn take={take} />
          <Link href="/forgot" className={linkStyle}>
            {t('sign_in.forgot')}
          </Link>
        </Card>
      )}
    </SignInSteps>
  );
}

function WaysIn({ take }: { take: FirstStep }) {
  const methods = useMethods();
  const ways: Way[] = [];
  if (hasPasskeys(methods?.passkey_origin)) {
    const signIn = async () => take('/sign-in/passkey', await provePasskey('/sign-in/passkey/begin'));
    ways.push({ icon: 'passkey', label: t('sign_in.passkey'), take: signIn });
  }
  if (methods?.oidc_name) ways.push(providerWay(methods.oidc_name));
  return <OtherWays ways={ways} />;
}

export function providerWay(name: string, invitation?: string): Way {
  const label = t('sign_in.oidc', { name: isolated(name) });
  return { icon: 'provider', label, take: () => visitProvider(invitation) };
}
