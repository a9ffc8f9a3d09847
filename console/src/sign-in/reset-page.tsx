import { Form } from '../parts/form.tsx';
import { t } from '../words/words.ts';
import { Card } from './card.tsx';
import { NewPasswordField } from './fields.tsx';
import { LinkPage } from './link-page.tsx';
import { SignInSteps } from './sign-in-steps.tsx';
import { takeToken } from './token.ts';

/** Sets a new password with a link. */
export function ResetPage() {
  const token = takeToken();
  return (
    <LinkPage kind="reset" token={token}>
      {() => (
        <SignInSteps target="/">
          {(take) => (
            <Card title={t('reset.title')} hint={t('reset.hint')}>
              <Form
                place="card"
                submit={t('reset.submit')}
                send={(form) => take('/password/reset', { token, password: form.get('password') })}
              >
                <NewPasswordField label={t('security.password_new')} autoFocus />
              </Form>
            </Card>
          )}
        </SignInSteps>
      )}
    </LinkPage>
  );
}
