import type { ChannelState } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmed } from '../../app/confirm.tsx';
import { request } from '../../live/request.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { isolated } from '../../words/isolated.ts';
import { t } from '../../words/words.ts';
import { channelPath, nameOf } from './channel-data.ts';

interface Stopped {
  waiting_messages: number;
  scheduled_messages: number;
  broadcasts: number;
  open_conversations: number;
}

interface Props {
  workspace_id: string;
  state: ChannelState;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

/** Says in numbers what a disconnection stops, and disconnects. */
export function DisconnectDialog({ workspace_id, state: given, onClose, onDone }: Props) {
  // The dialog keeps what the person saw when it opened, so that a change meanwhile is noticed.
  const [state] = useState(given);
  const path = `${channelPath(workspace_id, state.channel.id)}/disconnection`;
  const stopped = useQuery({
    queryKey: [path],
    queryFn: () => request<Stopped>('GET', path),
    staleTime: 0,
    gcTime: 0,
  });
  async function send() {
    await confirmed(() => request('POST', path, { version: state.version }));
    await onDone();
    onClose();
  }
  return (
    <Dialog title={t('disconnect.title', { name: isolated(nameOf(state)) })} onClose={onClose}>
      <Loaded query={stopped}>
        {({ waiting_messages, scheduled_messages, broadcasts, open_conversations }) => (
          <Form place="dialog" look="danger" submit={t('disconnect.action')} send={send} onCancel={onClose}>
            <ul>
              <li>{t('disconnect.waiting', { count: waiting_messages })}</li>
              <li>{t('disconnect.scheduled', { count: scheduled_messages })}</li>
              <li>{t('disconnect.broadcasts', { count: broadcasts })}</li>
              <li>{t('disconnect.conversations', { count: open_conversations })}</li>
            </ul>
            <Notice kind="danger">{t('disconnect.inbound')}</Notice>
          </Form>
        )}
      </Loaded>
    </Dialog>
  );
}
