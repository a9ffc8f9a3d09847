import type { Session, SessionEntry } from '@majlis/console-api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { confirmed } from '../app/confirm.tsx';
import { request, sentenceOf } from '../live/request.ts';
import { loadSession } from '../live/session.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { CopyBox } from '../parts/copy-box.tsx';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { tell } from '../parts/toasts.tsx';
import { useForm } from '../sign-in/use-form.ts';
import { fullTime, t } from '../words/words.ts';
import { codesStyle, formStyle, listStyle, Page, rowStyle, rowTextStyle, Section, softStyle } from './page.tsx';

/** Password, authenticator app and sessions of the person. */
export function SecurityPage({ session }: { session: Session }) {
  const { person } = session;
  return (
    <Page title={t('security.title')} hint={person.email}>
      <PasswordSection hasPassword={person.has_password} />
      <TotpSection hasTotp={person.has_totp} />
      <SessionsSection />
    </Page>
  );
}

function PasswordSection({ hasPassword }: { hasPassword: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { isPending, fault, faultOf, onSubmit } = useForm(async (form) => {
    await confirmed(() => request('PUT', '/password', { password: form.get('password') }));
    setOpen(false);
    tell(t('security.password_changed'));
    await loadSession();
  });
  return (
    <Section title={t('security.password')}>
      {!isOpen && (
        <div>
          <Button onPress={() => setOpen(true)}>
            {t(hasPassword ? 'security.password_change' : 'security.password_set')}
          </Button>
        </div>
      )}
      {isOpen && (
        <Form className={formStyle} onSubmit={onSubmit}>
          {fault && <Notice kind="danger">{fault}</Notice>}
          <Field
            label={t('security.password_new')}
            hint={t('password.hint')}
            error={faultOf('password')}
            name="password"
            type="password"
            autoComplete="new-password"
            isRequired
            autoFocus
          />
          <div>
            <Button type="submit" look="primary" isPending={isPending}>
              {t('app.save')}
            </Button>{' '}
            <Button onPress={() => setOpen(false)}>{t('app.cancel')}</Button>
          </div>
        </Form>
      )}
    </Section>
  );
}

function TotpSection({ hasTotp }: { hasTotp: boolean }) {
  const [setup, setSetup] = useState<{ secret: string; uri: string }>();
  async function begin() {
    try {
      setSetup(await confirmed(() => request<{ secret: string; uri: string }>('POST', '/totp', {})));
    } catch (error) {
      tell(sentenceOf(error), 'danger');
    }
  }
  async function remove() {
    try {
      await confirmed(() => request('DELETE', '/totp'));
      await loadSession();
    } catch (error) {
      tell(sentenceOf(error), 'danger');
    }
  }
  return (
    <Section title={t('security.totp')}>
      <div>
        <Badge kind={hasTotp ? 'accent' : 'plain'}>{t(hasTotp ? 'security.totp_on' : 'security.totp_off')}</Badge>
      </div>
      <div>
        <Button onPress={hasTotp ? remove : begin}>
          {t(hasTotp ? 'security.totp_remove' : 'security.totp_begin')}
        </Button>
      </div>
      {setup && <TotpDialog setup={setup} onClose={() => setSetup(undefined)} />}
    </Section>
  );
}

function TotpDialog({ setup, onClose }: { setup: { secret: string; uri: string }; onClose: () => void }) {
  const [codes, setCodes] = useState<string[]>();
  const { isPending, fault, onSubmit } = useForm(async (form) => {
    const enabled = await confirmed(() =>
      request<{ recovery_codes: string[] }>('PUT', '/totp', { code: form.get('code') }),
    );
    setCodes(enabled.recovery_codes);
  });
  async function close() {
    onClose();
    if (codes) await loadSession();
  }
  if (codes) {
    return (
      <Dialog title={t('security.recovery')} onClose={close}>
        <Notice>{t('security.recovery_hint')}</Notice>
        <ul className={codesStyle} dir="ltr">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <DialogActions>
          <Button look="primary" onPress={close}>
            {t('app.close')}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('security.totp')} onClose={close}>
      <p>{t('security.totp_secret')}</p>
      <CopyBox text={setup.secret} label={t('security.totp')} />
      <p>
        <a href={setup.uri}>{t('security.totp_open')}</a>
      </p>
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
        <DialogActions>
          <Button onPress={close}>{t('app.cancel')}</Button>
          <Button type="submit" look="primary" isPending={isPending}>
            {t('sign_in.continue')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function SessionsSection() {
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => request<{ data: SessionEntry[] }>('GET', '/sessions'),
  });
  async function end(id: string) {
    try {
      await request('DELETE', `/sessions/${id}`);
    } catch (failure) {
      tell(sentenceOf(failure), 'danger');
    }
    await queries.invalidateQueries({ queryKey: ['sessions'] });
  }
  return (
    <Section title={t('security.sessions')}>
      {error && <Notice kind="danger">{sentenceOf(error)}</Notice>}
      <ul className={listStyle}>
        {data?.data.map(({ id, current, user_agent, address, last_seen_at }) => (
          <li key={id} className={rowStyle}>
            <div className={rowTextStyle}>
              <bdi dir="ltr">{describeBrowser(user_agent)}</bdi>{' '}
              {current && <Badge kind="accent">{t('security.session_current')}</Badge>}
              <p className={softStyle}>
                {t('security.session_seen', { time: fullTime(last_seen_at), address: `\u2066${address}\u2069` })}
              </p>
            </div>
            {!current && (
              <Button look="quiet" onPress={() => end(id)}>
                {t('security.session_end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const browsers = [/Edg\/(\d+)/, /OPR\/(\d+)/, /Firefox\/(\d+)/, /Chrome\/(\d+)/, /Version\/(\d+).*Safari/];
const browserNames = ['Edge', 'Opera', 'Firefox', 'Chrome', 'Safari'];
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'];

/** `Chrome 140, Linux` from the browser's long description; unknown ones as they are. */
function describeBrowser(user_agent: string): string {
  const index = browsers.findIndex((browser) => browser.test(user_agent));
  if (index === -1) return user_agent || '?';
  const version = browsers[index]!.exec(user_agent)![1];
  const system = systems.find((name) => user_agent.includes(name));
  return `${browserNames[index]} ${version}${system ? `, ${system.replace('Mac OS X', 'macOS')}` : ''}`;
}
