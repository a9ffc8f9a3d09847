import type { AuditEntry } from '@majlis/console-api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import type { Membership } from '../live/membership.ts';
import { request } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { fullTime, isWord, t } from '../words/words.ts';
import styles from './audit-page.module.css';

interface AuditPageData {
  data: AuditEntry[];
  next_cursor?: string;
}

/** What people did in the workspace, newest first. */
export function AuditPage({ membership }: { membership: Membership }) {
  const base = `/workspaces/${membership.workspace_id}/audit`;
  const audit = useInfiniteQuery({
    queryKey: [base],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      request<AuditPageData>('GET', pageParam ? `${base}?cursor=${encodeURIComponent(pageParam)}` : base),
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  });
  return (
    <Page title={t('audit.title')} hint={t('audit.hint')}>
      <Loaded query={audit}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty icon={<ScrollText aria-hidden />} title={t('audit.empty')} />
          ) : (
            <Entries entries={entries} />
          )
        }
      </Loaded>
      {audit.hasNextPage && (
        <div>
          <Button onPress={() => audit.fetchNextPage()} isPending={audit.isFetchingNextPage}>
            {t('audit.more')}
          </Button>
        </div>
      )}
    </Page>
  );
}

function Entries({ entries }: { entries: AuditEntry[] }) {
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('audit.time')}</th>
            <th scope="col">{t('audit.person')}</th>
            <th scope="col">{t('audit.action')}</th>
            <th scope="col">{t('audit.target')}</th>
            <th scope="col">{t('audit.address')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, at, actor, action, targets, address }) => (
            <tr key={id}>
              <td>{fullTime(at)}</td>
              <td>
                <bdi>{actor.name ?? actor.user_id}</bdi>
              </td>
              <td>{nameOf(action)}</td>
              <td>
                <bdi dir="ltr">{Object.values(targets).join(', ')}</bdi>
              </td>
              <td>
                <bdi dir="ltr">{address}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function nameOf(action: string): string {
  const id = `audit.act_${action}`;
  return isWord(id) ? t(id) : action;
}
