import { Form } from 'react-aria-components';
import { request } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { t } from '../words/words.ts';
import { Card, formStyle } from './card.tsx';
import { useForm } from './use-form.ts';

/** The second step of a sign-in: a code of the app, or a recovery code. */
export function CodeForm({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const { isPending, fault, onSubmit } = useForm(async (form) => {
    await request('POST', '/sign-in/code', { code: form.get('code') });
    await onSignedIn();
  });
  return (
    <Card title={t('sign_in.code_title')} hint={t('sign_in.code_hint')}>
      <Form className={formStyle} onSubmit={onSubmit}>
        <Field
          label={t('sign_in.code')}
          error={fault}
          name="code"
          autoComplete="one-time-code"
          ltr
          isRequired
          autoFocus
        />
        <Button type="submit" look="primary" wide isPending={isPending}>
          {t('sign_in.continue')}
        </Button>
      </Form>
    </Card>
  );
}
