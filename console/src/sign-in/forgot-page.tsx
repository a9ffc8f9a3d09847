import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { Link } from 'wouter';
import { request } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';
import { Card, formStyle, linkStyle } from './card.tsx';
import { useForm } from './use-form.ts';

/** Asks for a link to set a new password. */
export function ForgotPage() {
  const [isSent, setSent] = useState(false);
  const { data } = useQuery({
    queryKey: ['methods'],
    queryFn: () => request<{ email: boolean }>('GET', '/sign-in'),
  });
  const { isPending, fault, onSubmit } = useForm(async (form) => {
    await request('POST', '/password/forgot', { email: form.get('email') });
    setSent(true);
  });
  return (
    <Card title={t('forgot.title')} hint={t('forgot.hint')}>
      {data?.email === false && <Notice>{t('forgot.no_email')}</Notice>}
      {isSent && <Notice kind="success">{t('forgot.sent')}</Notice>}
      {data?.email !== false && !isSent && (
        <Form className={formStyle} onSubmit={onSubmit}>
          <Field
            label={t('sign_in.email')}
            error={fault}
            name="email"
            type="email"
            autoComplete="username"
            ltr
            isRequired
            autoFocus
          />
          <Button type="submit" look="primary" wide isPending={isPending}>
            {t('forgot.submit')}
          </Button>
        </Form>
      )}
      <Link href="/" className={linkStyle}>
        {t('app.back')}
      </Link>
    </Card>
  );
}
