import type { LinkDetails } from '@majlis/console-api';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
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

function JoinForm({ link, token, take }: { link: LinkDetails; token: string; take: FirstStep }) {
  const role = link.role ? t(`role.${link.role}`) : '';
  const methods = useMethods();
  function send(form: FormData) {
    const members = ['name', 'password'].flatMap((name) => (form.has(name) ? [[name, form.get(name)]] : []));
    return take('/invitations/accept', { token, ...Object.fromEntries(members) });
  }
  return (
    <Card
      title={t('join.title', { workspace: link.workspace_name ?? '' })}
      hint={t('join.hint', { role, email: isolated(link.email) })}
    >
      <Form place="card" submit={t('join.submit')} send={send}>
        {/* Password managers keep the password under this name. */}
        <input type="hidden" name="username" autoComplete="username" value={link.email} />
        {link.has_account && !link.is_yours && <PasswordField label={t('join.password_known')} />}
        {!link.has_account && (
          <>
            <Field label={t('join.name')} name="name" autoComplete="name" isRequired autoFocus />
            <NewPasswordField label={t('join.password_new')} />
          </>
        )}
      </Form>
      {methods?.oidc_name && !link.is_yours && <OtherWays ways={[providerWay(methods.oidc_name, token)]} />}
    </Card>
  );
}
