import type { SignInState } from '@majlis/console-api';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { request } from '../live/request.ts';
import { loadSession } from '../live/session.ts';
import { Form } from '../parts/form.tsx';
import { t } from '../words/words.ts';
import { Card } from './card.tsx';
import { CodeField } from './fields.tsx';

/** Sends a first step to the server: a password, a link. */
export type FirstStep = (path: string, body: unknown) => Promise<void>;

interface Props {
  /** Where the person goes when they are signed in. Without it they stay where they are. */
  target?: string;
  children: (take: FirstStep) => ReactNode;
}

/** The way into the console: a first step, then a code where the account wants one. */
export function SignInSteps({ target, children }: Props) {
  const [, navigate] = useLocation();
  const [awaitsCode, setAwaitsCode] = useState(false);

  async function take(path: string, body: unknown) {
    const { state } = await request<SignInState>('POST', path, body);
    if (state === 'second_factor') {
      setAwaitsCode(true);
      return;
    }
    await loadSession();
    if (target) navigate(target, { replace: true });
  }

  if (!awaitsCode) return children(take);
  return (
    <Card title={t('sign_in.code_title')} hint={t('sign_in.code_hint')}>
      <Form
        place="card"
        submit={t('sign_in.continue')}
        send={(form) => take('/sign-in/code', { code: form.get('code') })}
      >
        <CodeField />
      </Form>
    </Card>
  );
}
