import type { ChannelCheck, ChannelState } from '@majlis/console-api';
import { useState } from 'react';
import { confirmed } from '../../app/confirm.tsx';
import { request } from '../../live/request.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogActions } from '../../parts/dialog-actions.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Soft } from '../../parts/list.tsx';
import { Notice } from '../../parts/notice.tsx';
import { isolated } from '../../words/isolated.ts';
import { t } from '../../words/words.ts';
import { CallbackValues } from './callback-values.tsx';
import { channelsPath, useChannelStates } from './channel-data.ts';
import styles from './channels.module.css';
import { CheckList } from './check-list.tsx';
import { TestMessage } from './test-message.tsx';

interface Connected {
  state: ChannelState;
  callback_url: string;
  verify_token: string;
}

interface Props {
  workspace_id: string;
  onClose: () => void;
}

/** Leads from the values of the platform to a first message: access, callback address, test. */
export function ConnectDialog({ workspace_id, onClose }: Props) {
  const [connected, setConnected] = useState<Connected>();
  const [isTesting, setTesting] = useState(false);
  const step = isTesting ? 3 : connected ? 2 : 1;
  const names = { 1: 'channels.step_enter', 2: 'channels.step_callback', 3: 'channels.step_test' } as const;
  return (
    <Dialog title={t('channels.connect')} onClose={onClose}>
      <div className={styles.step}>
        <div className={styles.bar} aria-hidden>
          {[1, 2, 3].map((one) => (
            <span key={one} data-done={one <= step} />
          ))}
        </div>
        <p className={styles.stepName} role="status">
          {t('channels.step', { step })}: {t(names[step])}
        </p>
      </div>
      {!connected && <Enter workspace_id={workspace_id} onConnected={setConnected} onClose={onClose} />}
      {connected && !isTesting && (
        <Callback workspace_id={workspace_id} connected={connected} onNext={() => setTesting(true)} />
      )}
      {connected && isTesting && (
        <TestMessage workspace_id={workspace_id} channel_id={connected.state.channel.id} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface EnterProps extends Props {
  onConnected: (connected: Connected) => void;
}

function Enter({ workspace_id, onConnected, onClose }: EnterProps) {
  const [check, setCheck] = useState<ChannelCheck>();
  async function send(form: FormData) {
    const { name, ...access } = Object.fromEntries(
      [...form].map(([member, value]) => [member, String(value).trim()]),
    ) as Record<string, string>;
    setCheck(undefined);
    const answer = await request<ChannelCheck>('POST', `/workspaces/${workspace_id}/channel-checks`, access);
    setCheck(answer);
    if (answer.checks.some(({ name: one, state }) => state === 'failed' && one !== 'subscription')) return;
    const body = { name, ...access };
    onConnected(await confirmed(() => request<Connected>('POST', channelsPath(workspace_id), body)));
  }
  const isRefused = check?.checks.some(({ state }) => state === 'failed');
  return (
    <Form place="dialog" submit={t('channels.submit')} send={send} onCancel={onClose}>
      <Soft>{t('channels.enter_hint')}</Soft>
      <Field label={t('channels.name')} hint={t('channels.name_hint')} name="name" isRequired autoFocus />
      <div className={styles.pair}>
        <Field
          label={t('channels.phone_number_id')}
          hint={t('channels.phone_number_id_hint')}
          name="phone_number_id"
          ltr
          isRequired
          inputMode="numeric"
          autoComplete="off"
        />
        <Field
          label={t('channels.waba_id')}
          hint={t('channels.waba_id_hint')}
          name="waba_id"
          ltr
          isRequired
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
      <Field
        label={t('channels.access_token')}
        hint={t('channels.access_token_hint')}
        name="access_token"
        type="password"
        isRequired
        autoComplete="off"
      />
      <Field
        label={t('channels.app_secret')}
        hint={t('channels.app_secret_hint')}
        name="app_secret"
        type="password"
        isRequired
        autoComplete="off"
      />
      {check && <CheckList check={check} />}
      {isRefused && <Notice kind="danger">{t('channels.fix')}</Notice>}
    </Form>
  );
}

interface CallbackProps {
  workspace_id: string;
  connected: Connected;
  onNext: () => void;
}

function Callback({ workspace_id, connected: { state, callback_url, verify_token }, onNext }: CallbackProps) {
  const states = useChannelStates(workspace_id);
  const now = states.data?.data.find(({ channel }) => channel.id === state.channel.id);
  const isVerified = now?.callback_verified_at !== undefined;
  const { verified_name = '', display_phone = '' } = state.channel;
  return (
    <>
      <Notice kind="success">
        {t('channels.found', { name: isolated(verified_name), phone: `\u2066${display_phone}\u2069` })}
      </Notice>
      <p>{t('channels.callback_hint')}</p>
      <CallbackValues callback_url={callback_url} verify_token={verify_token} />
      <Soft>{t('channels.verify_token_once')}</Soft>
      {isVerified ? (
        <Notice kind="success">{t('channels.verified_now')}</Notice>
      ) : (
        <p className={styles.waiting} role="status">
          <span className={styles.spinner} aria-hidden />
          {t('channels.waiting')}
        </p>
      )}
      <DialogActions>
        <Button look={isVerified ? 'primary' : 'plain'} onPress={onNext}>
          {t('channels.next')}
        </Button>
      </DialogActions>
    </>
  );
}
