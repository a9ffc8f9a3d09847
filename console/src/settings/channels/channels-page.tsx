import type { ChannelState } from '@majlis/console-api';
import { CircleAlert, CircleCheck, CircleDashed, Plus, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Membership } from '../../live/membership.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { List, Row, Soft } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { isolated } from '../../words/isolated.ts';
import { t } from '../../words/words.ts';
import { adviceOf, channelsPage, healthOf, nameOf, useChannelStates } from './channel-data.ts';
import { ChannelPage, qualityText, tierText } from './channel-page.tsx';
import styles from './channels.module.css';
import { ConnectDialog } from './connect-dialog.tsx';
import { PlatformNotices } from './platform-notices.tsx';

interface Props {
  membership: Membership;
  object?: string | undefined;
}

/** The channels of a workspace with their health, or one of them. */
export function ChannelsPage({ membership: { workspace_id }, object: channel_id }: Props) {
  const states = useChannelStates(workspace_id);
  const [isConnecting, setConnecting] = useState(false);
  const opened = states.data?.data.find(({ channel }) => channel.id === channel_id);
  if (channel_id && (opened || !states.data)) {
    return (
      <Loaded query={states}>
        {({ callback_url }) => (
          <ChannelPage
            key={channel_id}
            workspace_id={workspace_id}
            state={opened!}
            callback_url={callback_url}
            onChanged={states.refetch}
          />
        )}
      </Loaded>
    );
  }
  const connect = (
    <Button look="primary" onPress={() => setConnecting(true)}>
      <Plus size={18} aria-hidden />
      {t('channels.connect')}
    </Button>
  );
  return (
    <Page title={t('channels.title')} hint={t('channels.hint')} action={connect}>
      <Loaded query={states}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={<Smartphone aria-hidden />} title={t('channels.empty')} hint={t('channels.empty_hint')} />
          ) : (
            <List>
              {data.map((state) => (
                <ChannelRow key={state.channel.id} workspace_id={workspace_id} state={state} />
              ))}
            </List>
          )
        }
      </Loaded>
      <PlatformNotices workspace_id={workspace_id} />
      {isConnecting && (
        <ConnectDialog
          workspace_id={workspace_id}
          onClose={() => {
            setConnecting(false);
            void states.refetch();
          }}
        />
      )}
    </Page>
  );
}

const icons = { good: CircleCheck, trouble: CircleAlert, unknown: CircleDashed };

function ChannelRow({ workspace_id, state }: { workspace_id: string; state: ChannelState }) {
  const { channel, trouble, secrets_open, callback_verified_at } = state;
  const health = healthOf(state);
  const Icon = icons[health];
  return (
    <Row
      start={<Icon size={18} className={styles.dot} data-health={health} aria-hidden />}
      title={
        <Link href={`${channelsPage(workspace_id)}/${channel.id}`}>
          <bdi>{nameOf(state)}</bdi>
        </Link>
      }
      end={<StatusBadge state={state} />}
    >
      <Soft>
        {channel.display_phone && (
          <>
            <bdi dir="ltr">{channel.display_phone}</bdi>
            {' · '}
          </>
        )}
        {channel.verified_name && (
          <>
            <bdi>{channel.verified_name}</bdi>
            {' · '}
          </>
        )}
        {t('channels.quality')}: {qualityText(channel.quality)}
        {' · '}
        {t('channels.tier')}: {tierText(state.messaging_tier)}
      </Soft>
      {trouble !== undefined && (
        <Soft>
          {t(adviceOf(trouble))} {t('channels.trouble', { reason: isolated(trouble) })}
        </Soft>
      )}
      {!secrets_open && <Soft>{t('channels.secrets_lost')}</Soft>}
      {!state.disconnected_at && callback_verified_at === undefined && (
        <Soft>
          {t('channels.callback_state')}: {t('channels.callback_unverified')}
        </Soft>
      )}
    </Row>
  );
}

export function StatusBadge({ state }: { state: ChannelState }) {
  const { status } = state.channel;
  if (state.disconnected_at) return <Badge>{t('disconnect.state')}</Badge>;
  if (state.trouble !== undefined || !state.secrets_open) {
    return <Badge kind="warning">{t('channels.status_trouble')}</Badge>;
  }
  if (status === 'CONNECTED') return <Badge kind="accent">{t('channels.status_connected')}</Badge>;
  if (status === undefined) return <Badge>{t('channels.status_unknown')}</Badge>;
  return <Badge kind="warning">{t('channels.status_other', { status: `\u2066${status}\u2069` })}</Badge>;
}
