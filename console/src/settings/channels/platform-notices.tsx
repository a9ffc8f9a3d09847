import type { PlatformNotices as Notices } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { request } from '../../live/request.ts';
import { List, Row, Soft } from '../../parts/list.tsx';
import { Section } from '../../parts/page.tsx';
import { fullTime, isWord, t } from '../../words/words.ts';

/** What the platform reported and the service does not apply, such as messages of groups. Nothing where there is none. */
export function PlatformNotices({ workspace_id }: { workspace_id: string }) {
  const path = `/workspaces/${workspace_id}/platform-notices`;
  const { data } = useQuery({ queryKey: [path], queryFn: () => request<Notices>('GET', path) });
  if (!data || data.counts.length === 0) return null;
  return (
    <Section title={t('notices_kept.title')}>
      <Soft>{t('notices_kept.hint')}</Soft>
      <List>
        {data.counts.map(({ field, reason, count, last_at }) => (
          <Row key={`${field} ${reason}`} title={nameOf(field, reason)}>
            <Soft>
              {t('notices_kept.count', { count, time: fullTime(last_at) })}
              {' · '}
              <bdi dir="ltr">{field}</bdi>
            </Soft>
          </Row>
        ))}
      </List>
    </Section>
  );
}

function nameOf(field: string, reason: string): string {
  const isOfGroup = field.startsWith('group_') || reason.endsWith('of a group');
  if (reason.startsWith('history declined')) return t('notices_kept.history_declined');
  const id = `notices_kept.${isOfGroup ? 'groups' : field}`;
  return isWord(id) ? t(id) : t('notices_kept.other');
}
