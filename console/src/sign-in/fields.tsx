import { Field } from '../parts/field.tsx';
import { t } from '../words/words.ts';

interface Props {
  autoFocus?: boolean;
}

export function EmailField({ autoFocus = false }: Props) {
  return (
    <Field
      label={t('sign_in.email')}
      name="email"
      type="email"
      autoComplete="username"
      ltr
      isRequired
      autoFocus={autoFocus}
    />
  );
}

/** The password of the account as it is. */
export function PasswordField({ label, hint, autoFocus = false }: Props & { label?: string; hint?: string }) {
  return (
    <Field
      label={label ?? t('sign_in.password')}
      {...(hint && { hint })}
      name="password"
      type="password"
      autoComplete="current-password"
      isRequired
      autoFocus={autoFocus}
    />
  );
}

export function NewPasswordField({ label, autoFocus = false }: Props & { label: string }) {
  return (
    <Field
      label={label}
      hint={t('password.hint')}
      name="password"
      type="password"
      autoComplete="new-password"
      isRequired
      autoFocus={autoFocus}
    />
  );
}

/** A code of an authenticator app. */
export function CodeField() {
  return <Field label={t('sign_in.code')} name="code" autoComplete="one-time-code" ltr isRequired autoFocus />;
}
