import type { EndpointState } from '@majlis/console-api';
import type { WebhookDelivery, WebhookEndpoint } from '@majlis/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { attempt } from '../../app/attempt.ts';
import type { Membership } from '../../live/membership.ts';
import { request } from '../../live/request.ts';
import { AskDialog } from '../../parts/ask-dialog.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { Button } from '../../parts/button.tsx';
import { Soft } from '../../parts/list.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Switch } from '../../parts/switch.tsx';
import { tell } from '../../parts/toasts.ts';
import { fullTime, t } from '../../words/words.ts';
import { Attempts } from './attempts.tsx';
import { endpointPath, endpointsPath } from './endpoint-address.ts';
import { EndpointDialog } from './endpoint-dialog.tsx';
import styles from './endpoint-page.module.css';
import { ReplayDialog } from './replay-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

const mostCounted = 1_000;

type Opened = 'edit' | 'rotate' | 'replay' | 'delete';

/** One webhook endpoint: its state, its deliveries, and what people do with it. */
export function EndpointPage({ membership, endpoint }: { membership: Membership; endpoint: WebhookEndpoint }) {
  const { workspace_id } = membership;
  const list = endpointsPath(workspace_id);
  const path = endpointPath(workspace_id, endpoint.id);
  const [, navigate] = useLocation();
  const [opened, setOpened] = useState<Opened>();
  const [isTesting, setTesting] = useState(false);
  const queries = useQueryClient();
  const state = useQuery({
    queryKey: [path, 'state'],
    queryFn: () => request<EndpointState>('GET', `${path}/state`),
  });
  const close = () => setOpened(undefined);
  const refresh = () =>
    Promise.all([queries.invalidateQueries({ queryKey: [list] }), queries.invalidateQueries({ queryKey: [path] })]);

  async function test() {
    setTesting(true);
    await attempt(async () => {
      const { response_status, delivered_at, duration_ms = 0 } = await request<WebhookDelivery>('POST', `${path}/test`);
      if (delivered_at) tell(t('webhooks.test_ok', { status: response_status ?? 0, ms: duration_ms }));
      else if (response_status) tell(t('webhooks.test_refused', { status: response_status }), 'danger');
      else tell(t('webhooks.test_failed'), 'danger');
    });
    setTesting(false);
    await refresh();
  }
  async function enable(enabled: boolean) {
    await attempt(() => request('PATCH', `${path}/state`, { version: state.data?.version, enabled }));
    await refresh();
  }
  async function remove() {
    await request('DELETE', path);
    await queries.invalidateQueries({ queryKey: [list] });
    navigate(`/w/${workspace_id}/webhooks`);
  }

  const { failing_since, disabled_after, old_secret_until, description, attempts = 0 } = state.data ?? {};
  return (
    <Page
      title={t('webhooks.endpoint')}
      hint={description ?? ''}
      action={<BackLink href={`/w/${workspace_id}/webhooks`}>{t('webhooks.back')}</BackLink>}
    >
      <section className={styles.card} aria-label={t('webhooks.endpoint')}>
        <p className={styles.url}>
          <bdi dir="ltr">{endpoint.url}</bdi>
        </p>
        <Soft>
          {endpoint.events.includes('*') ? t('webhooks.all_events') : <bdi dir="ltr">{endpoint.events.join(', ')}</bdi>}
        </Soft>
        {endpoint.event_data === 'full' && <Soft>{t('webhooks.full_data')}</Soft>}
        <Switch
          label={t('webhooks.deliver')}
          isSelected={endpoint.enabled}
          isDisabled={!state.data}
          onChange={enable}
        />
        <div className={styles.actions}>
          <Button onPress={test} isPending={isTesting}>
            <FlaskConical size={16} aria-hidden />
            {t('webhooks.test')}
          </Button>
          <Button onPress={() => setOpened('edit')}>{t('webhooks.edit')}</Button>
          <Button onPress={() => setOpened('rotate')}>{t('webhooks.rotate')}</Button>
          <Button isDisabled={!endpoint.enabled} onPress={() => setOpened('replay')}>
            {t('webhooks.replay')}
          </Button>
          <Button look="quiet" onPress={() => setOpened('delete')}>
            {t('webhooks.delete')}
          </Button>
        </div>
      </section>
      {!endpoint.enabled && <Notice>{t('webhooks.disabled_hint')}</Notice>}
      {endpoint.enabled && failing_since && disabled_after && (
        <Notice kind="danger">
          {t('webhooks.failing', { since: fullTime(failing_since), until: fullTime(disabled_after) })}
        </Notice>
      )}
      {old_secret_until && <Notice>{t('webhooks.old_secret', { time: fullTime(old_secret_until) })}</Notice>}
      <Section title={t('webhooks.attempts')}>
        <Attempts workspace_id={workspace_id} endpoint={endpoint} />
      </Section>
      {opened === 'edit' && state.data && (
        <EndpointDialog
          path={list}
          endpoint={endpoint}
          version={state.data.version}
          onClose={close}
          onSaved={refresh}
        />
      )}
      {opened === 'rotate' && <RotateDialog path={path} onClose={close} onRotated={refresh} />}
      {opened === 'replay' && <ReplayDialog path={path} onClose={close} onReplayed={refresh} />}
      {opened === 'delete' && (
        <AskDialog
          title={t('webhooks.delete_title')}
          hint={`${t('webhooks.delete_attempts', { count: Math.min(attempts, mostCounted), more: attempts > mostCounted ? '+' : '' })} ${t('webhooks.delete_hint')}`}
          action={t('webhooks.delete')}
          act={remove}
          onClose={close}
        />
      )}
    </Page>
  );
}
