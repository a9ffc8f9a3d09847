import type { WebhookEndpoint } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Membership } from '../../live/membership.ts';
import { request } from '../../live/request.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { List, Row, Soft } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { fullTime, t } from '../../words/words.ts';
import { endpointPage, endpointsPath } from './endpoint-address.ts';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { EndpointPage } from './endpoint-page.tsx';

interface Props {
  membership: Membership;
  object?: string | undefined;
}

/** The webhook endpoints of a workspace, or one of them. */
export function WebhooksPage({ membership, object: endpoint_id }: Props) {
  const path = endpointsPath(membership.workspace_id);
  const [isAdding, setAdding] = useState(false);
  const endpoints = useQuery({
    queryKey: [path],
    queryFn: () => request<{ data: WebhookEndpoint[] }>('GET', path),
  });
  const opened = endpoints.data?.data.find(({ id }) => id === endpoint_id);
  if (endpoint_id && (opened || !endpoints.data)) {
    return (
      <Loaded query={endpoints}>
        {() => <EndpointPage key={endpoint_id} membership={membership} endpoint={opened!} />}
      </Loaded>
    );
  }
  const add = (
    <Button look="primary" onPress={() => setAdding(true)}>
      <Plus size={18} aria-hidden />
      {t('webhooks.add')}
    </Button>
  );
  return (
    <Page title={t('webhooks.title')} hint={t('webhooks.hint')} action={add}>
      <Loaded query={endpoints}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={<Webhook aria-hidden />} title={t('webhooks.empty')} hint={t('webhooks.empty_hint')} />
          ) : (
            <List>
              {data.map((endpoint) => (
                <EndpointRow key={endpoint.id} endpoint={endpoint} membership={membership} />
              ))}
            </List>
          )
        }
      </Loaded>
      {isAdding && <EndpointDialog path={path} onClose={() => setAdding(false)} onSaved={endpoints.refetch} />}
    </Page>
  );
}

function EndpointRow({ endpoint, membership }: { endpoint: WebhookEndpoint; membership: Membership }) {
  const { id, url, events, enabled, created_at } = endpoint;
  return (
    <Row
      start={<Webhook size={18} aria-hidden />}
      title={
        <Link href={endpointPage(membership.workspace_id, id)}>
          <bdi dir="ltr">{url}</bdi>
        </Link>
      }
      end={<Badge kind={enabled ? 'accent' : 'warning'}>{t(enabled ? 'webhooks.enabled' : 'webhooks.disabled')}</Badge>}
    >
      <Soft>
        {events.includes('*') ? t('webhooks.all_events') : <bdi dir="ltr">{events.join(', ')}</bdi>}
        {' · '}
        {t('webhooks.added', { time: fullTime(created_at) })}
      </Soft>
    </Row>
  );
}
