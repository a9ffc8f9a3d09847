import type { EndpointAttempt } from '@majlis/console-api';
import type { WebhookEndpoint } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { attempt as attemptTo } from '../../app/attempt.ts';
import { request } from '../../live/request.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogActions } from '../../parts/dialog-actions.tsx';
import { Soft } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { tell } from '../../parts/toasts.ts';
import { t } from '../../words/words.ts';
import styles from './attempts.module.css';
import { endpointPath } from './endpoint-address.ts';

interface Props {
  workspace_id: string;
  endpoint: WebhookEndpoint;
  attempt: EndpointAttempt;
  onClose: () => void;
  onReplayed: () => Promise<unknown>;
}

/** The body of an event as receivers get it, and a way to deliver it again. */
export function EventDialog({ workspace_id, endpoint, attempt, onClose, onReplayed }: Props) {
  const path = `/workspaces/${workspace_id}/events/${attempt.event_id}`;
  const [isSending, setSending] = useState(false);
  const event = useQuery({
    queryKey: [path],
    retry: false,
    queryFn: () => request<{ body: string }>('GET', path),
  });
  async function replay() {
    setSending(true);
    await attemptTo(async () => {
      await request('POST', `${endpointPath(workspace_id, endpoint.id)}/replays`, { event_id: attempt.event_id });
      tell(t('webhooks.replayed_one'));
      await onReplayed();
      onClose();
    });
    setSending(false);
  }
  return (
    <Dialog title={attempt.event_type} onClose={onClose}>
      <Soft>
        <bdi dir="ltr">{attempt.event_id}</bdi>
      </Soft>
      <Loaded query={event}>
        {({ body }) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a long body.
          <pre className={styles.body} dir="ltr" tabIndex={0}>
            {indented(body)}
          </pre>
        )}
      </Loaded>
      <DialogActions>
        <Button onPress={onClose}>{t('app.close')}</Button>
        <Button look="primary" isDisabled={!event.data || !endpoint.enabled} isPending={isSending} onPress={replay}>
          {t('webhooks.replay_one')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
