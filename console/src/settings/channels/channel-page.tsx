import type { ChannelCheck, ChannelState } from '@majlis/console-api';
import { Send, Stethoscope, Unplug } from 'lucide-react';
import { useState } from 'react';
import { attempt } from '../../app/attempt.ts';
import { request } from '../../live/request.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { isolated } from '../../words/isolated.ts';
import { currentLocale, fullTime, isWord, t } from '../../words/words.ts';
import { CallbackValues } from './callback-values.tsx';
import { adviceOf, channelPath, channelsPage, nameOf } from './channel-data.ts';
import styles from './channels.module.css';
import { CheckList } from './check-list.tsx';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { TestMessage } from './test-message.tsx';
import { VerifyTokenDialog } from './verify-token-dialog.tsx';

interface Props {
  workspace_id: string;
  state: ChannelState;
  callback_url: string;
  onChanged: () => Promise<unknown>;
}

/** One channel: its health, what to do about troubles, and its settings. */
export function ChannelPage({ workspace_id, state, callback_url, onChanged }: Props) {
  const { channel, trouble, next_try_at, secrets_open, callback_verified_at, disconnected_at } = state;
  const isConnected = disconnected_at === undefined;
  const path = channelPath(workspace_id, channel.id);
  const [opened, setOpened] = useState<'edit' | 'test' | 'token' | 'disconnect'>();
  const [check, setCheck] = useState<ChannelCheck>();
  const [isChecking, setChecking] = useState(false);
  const close = () => setOpened(undefined);

  async function ask() {
    setChecking(true);
    setCheck(undefined);
    await attempt(async () => setCheck(await request<ChannelCheck>('POST', `${path}/checks`)));
    setChecking(false);
    await onChanged();
  }

  return (
    <Page title={nameOf(state)} action={<BackLink href={channelsPage(workspace_id)}>{t('channels.back')}</BackLink>}>
      {disconnected_at && <Notice>{t('disconnect.notice', { time: fullTime(disconnected_at) })}</Notice>}
      {trouble !== undefined && (
        <Notice kind="danger" action={<Button onPress={() => setOpened('edit')}>{t('channels.new_token')}</Button>}>
          {t(adviceOf(trouble))} {t('channels.trouble', { reason: isolated(trouble) })}{' '}
          {next_try_at && t('channels.next_try', { time: fullTime(next_try_at) })}
        </Notice>
      )}
      {!secrets_open && <Notice kind="danger">{t('channels.secrets_lost')}</Notice>}
      {isConnected && callback_verified_at === undefined && <Notice>{t('channels.callback_warning')}</Notice>}
      {channel.quality === 'RED' && <Notice kind="danger">{t('channels.low_quality')}</Notice>}
      <Section title={t('channels.health')}>
        <Facts state={state} />
        {isConnected && (
          <div className={styles.actions}>
            <Button onPress={ask} isPending={isChecking} isDisabled={!secrets_open}>
              <Stethoscope size={16} aria-hidden />
              {t('channels.check')}
            </Button>
            <Button onPress={() => setOpened('test')}>
              <Send size={16} data-directional aria-hidden />
              {t('channels.test')}
            </Button>
            <Button onPress={() => setOpened('edit')}>{t('channels.edit')}</Button>
          </div>
        )}
        {check && <CheckList check={check} />}
      </Section>
      {isConnected && (
        <>
          <Section title={t('channels.callback_state')}>
            <p>{t('channels.callback_again')}</p>
            <CallbackValues callback_url={callback_url} />
            <div className={styles.actions}>
              <Button onPress={() => setOpened('token')}>{t('channels.token')}</Button>
            </div>
          </Section>
          <Section title={t('disconnect.section')}>
            <p>{t('disconnect.hint')}</p>
            <div className={styles.actions}>
              <Button look="danger" onPress={() => setOpened('disconnect')}>
                <Unplug size={16} aria-hidden />
                {t('disconnect.action')}
              </Button>
            </div>
          </Section>
        </>
      )}
      {opened === 'disconnect' && (
        <DisconnectDialog workspace_id={workspace_id} state={state} onClose={close} onDone={onChanged} />
      )}
      {opened === 'edit' && (
        <EditDialog workspace_id={workspace_id} state={state} onClose={close} onSaved={onChanged} />
      )}
      {opened === 'token' && <VerifyTokenDialog path={path} onClose={close} />}
      {opened === 'test' && (
        <Dialog title={t('channels.test_title')} onClose={close}>
          <TestMessage workspace_id={workspace_id} channel_id={channel.id} onClose={close} />
        </Dialog>
      )}
    </Page>
  );
}

function usernameText({ name, status }: NonNullable<ChannelState['username']>): string {
  const id = `channels.username_${status}`;
  const state = isWord(id) ? t(id) : isolated(status);
  return t('channels.username_state', { name: isolated(`@${name}`), state });
}

function historyText({ state, phase, progress = 0 }: NonNullable<ChannelState['history']>): string {
  if (state === 'finished') return t('channels.history_finished');
  if (state === 'declined') return t('channels.history_declined');
  const share = new Intl.NumberFormat(currentLocale(), { style: 'percent' }).format(progress / 100);
  if (phase === undefined) return t('channels.history_running', { share });
  return t('channels.history_phase', { share, phase: new Intl.NumberFormat(currentLocale()).format(phase) });
}

function Facts({
  state: { channel, trouble, username, history, messaging_tier, callback_verified_at },
}: {
  state: ChannelState;
}) {
  const { display_phone, verified_name, status, quality, phone_number_id, waba_id, created_at } = channel;
  const verified = callback_verified_at && t('channels.callback_verified', { time: fullTime(callback_verified_at) });
  const facts = [
    { name: t('channels.phone'), value: display_phone, isLtr: true },
    { name: t('channels.verified_name'), value: verified_name },
    ...(username ? [{ name: t('channels.username'), value: usernameText(username) }] : []),
    ...(history ? [{ name: t('channels.history'), value: historyText(history) }] : []),
    { name: t('channels.status'), value: trouble === undefined ? statusText(status) : t('channels.status_trouble') },
    { name: t('channels.quality'), value: qualityText(quality) },
    { name: t('channels.tier'), value: tierText(messaging_tier) },
    { name: t('channels.callback_state'), value: verified ?? t('channels.callback_unverified') },
    { name: t('channels.phone_number_id'), value: phone_number_id, isLtr: true },
    { name: t('channels.waba_id'), value: waba_id, isLtr: true },
    { name: t('channels.connected_at'), value: fullTime(created_at) },
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value, isLtr }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi {...(isLtr && { dir: 'ltr' })}>{value ?? '–'}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function statusText(status: string | undefined): string {
  if (status === undefined) return t('channels.status_unknown');
  return status === 'CONNECTED' ? t('channels.status_connected') : status;
}

const qualities = {
  GREEN: 'channels.quality_green',
  YELLOW: 'channels.quality_yellow',
  RED: 'channels.quality_red',
} as const;

export function qualityText(quality: string | undefined): string {
  return t(qualities[quality as keyof typeof qualities] ?? 'channels.quality_unknown');
}

export function tierText(tier: number | null | undefined): string {
  if (tier === undefined) return t('channels.tier_unknown');
  return tier === null ? t('channels.tier_unlimited') : new Intl.NumberFormat(currentLocale()).format(tier);
}
