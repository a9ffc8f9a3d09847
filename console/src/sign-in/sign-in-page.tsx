import { Link } from 'wouter';
import { Form } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';
import { Card, linkStyle } from './card.tsx';
import { EmailField, PasswordField } from './fields.tsx';
import { SignInSteps } from './sign-in-steps.tsx';

/** Shown in the place of any page, so that a person comes back to where they were. */
export function SignInPage({ wasSignedIn }: { wasSignedIn: boolean }) {
  return (
    <SignInSteps>
      {(take) => (
        <Card title={t('sign_in.title')}>
          {wasSignedIn && <Notice>{t('sign_in.signed_out')}</Notice>}
          <Form
            place="card"
            submit={t('sign_in.submit')}
            send={(form) => take('/sign-in', { email: form.get('email'), password: form.get('password') })}
          >
            <EmailField autoFocus />
            <PasswordField />
          </Form>
          <Link href="/forgot" className={linkStyle}>
            {t('sign_in.forgot')}
          </Link>
        </Card>
      )}
    </SignInSteps>
  );
}
