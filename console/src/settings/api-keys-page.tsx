import type { ApiKeyEntry } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { confirmed } from '../app/confirm.tsx';
import type { Membership } from '../live/membership.ts';
import { request } from '../live/request.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { isolated } from '../words/isolated.ts';
import { fullTime, t } from '../words/words.ts';
import { CountedDialog } from './counted-dialog.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';

/** The API keys of a workspace. A new key is shown in full once. */
export function ApiKeysPage({ membership }: { membership: Membership }) {
  const base = `/workspaces/${membership.workspace_id}/api-keys`;
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<ApiKeyEntry>();
  const keys = useQuery({ queryKey: [base], queryFn: () => request<{ data: ApiKeyEntry[] }>('GET', base) });
  const create = (
    <Button look="primary" onPress={() => setMaking(true)}>
      <Plus size={18} aria-hidden />
      {t('keys.create')}
    </Button>
  );
  async function revoke(key: ApiKeyEntry) {
    await confirmed(() => request('DELETE', `${base}/${key.id}`));
    await keys.refetch();
  }
  return (
    <Page title={t('keys.title')} hint={t('keys.hint')} action={create}>
      <Loaded query={keys}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={<KeyRound aria-hidden />} title={t('keys.empty')} />
          ) : (
            <List>
              {data.map((key) => (
                <KeyRow key={key.id} entry={key} onRevoke={() => setRevoked(key)} />
              ))}
            </List>
          )
        }
      </Loaded>
      {isMaking && <CreateKeyDialog base={base} onClose={() => setMaking(false)} onMade={keys.refetch} />}
      {revoked && (
        <CountedDialog<{ data: ApiKeyEntry[] }>
          title={t('keys.revoke_title', { name: isolated(revoked.name) })}
          path={base}
          action={t('keys.revoke')}
          act={() => revoke(revoked)}
          onClose={() => setRevoked(undefined)}
        >
          {({ data }) => (
            <p>
              {lastUseOf(data.find(({ id }) => id === revoked.id) ?? revoked)} {t('keys.revoke_hint')}
            </p>
          )}
        </CountedDialog>
      )}
    </Page>
  );
}

/** When a program last came with the key. */
function lastUseOf({ last_used_at }: ApiKeyEntry): string {
  return last_used_at ? t('keys.used', { time: fullTime(last_used_at) }) : t('keys.unused');
}

function KeyRow({ entry, onRevoke }: { entry: ApiKeyEntry; onRevoke: () => void }) {
  const { name, environment, key_prefix, created_at, scopes } = entry;
  return (
    <Row
      title={
        <>
          <bdi>{name}</bdi>
          <Badge kind={environment === 'live' ? 'warning' : 'plain'}>
            {t(environment === 'live' ? 'keys.environment_live' : 'keys.environment_test')}
          </Badge>
        </>
      }
      end={
        <Button look="quiet" onPress={onRevoke}>
          {t('keys.revoke')}
        </Button>
      }
    >
      <Soft>
        <bdi dir="ltr">{key_prefix}…</bdi> · {t('keys.created', { time: fullTime(created_at) })} · {lastUseOf(entry)}
      </Soft>
      <Soft>
        <bdi dir="ltr">{scopes.join(', ')}</bdi>
      </Soft>
    </Row>
  );
}
