import type { SessionEntry } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { attempt } from '../app/attempt.ts';
import { request } from '../live/request.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { fullTime, t } from '../words/words.ts';
import { describeBrowser } from './describe-browser.ts';

/** Where the person is signed in, with a way to end it there. */
export function SessionsSection() {
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: () => request<{ data: SessionEntry[] }>('GET', '/sessions'),
  });
  async function end(id: string) {
    await attempt(() => request('DELETE', `/sessions/${id}`));
    await sessions.refetch();
  }
  return (
    <Section title={t('security.sessions')}>
      <Loaded query={sessions}>
        {({ data }) => (
          <List>
            {data.map(({ id, current, method, user_agent, address, last_seen_at }) => (
              <Row
                key={id}
                title={
                  <>
                    <bdi dir="ltr">{describeBrowser(user_agent)}</bdi>
                    {current && <Badge kind="accent">{t('security.session_current')}</Badge>}
                  </>
                }
                end={
                  !current && (
                    <Button look="quiet" onPress={() => end(id)}>
                      {t('security.session_end')}
                    </Button>
                  )
                }
              >
                <Soft>{t(`security.method_${method}`)}</Soft>
                <Soft>
                  {t('security.session_seen', { time: fullTime(last_seen_at), address: `\u2066${address}\u2069` })}
                </Soft>
              </Row>
            ))}
          </List>
        )}
      </Loaded>
    </Section>
  );
}
