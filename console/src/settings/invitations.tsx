import type { Invitation } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { attempt } from '../app/attempt.ts';
import { request } from '../live/request.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Section } from '../parts/page.tsx';
import { fullTime, t } from '../words/words.ts';

/** The invitations that nobody has accepted yet. */
export function Invitations({ base }: { base: string }) {
  const { data, refetch } = useQuery({
    queryKey: [base, 'invitations'],
    queryFn: () => request<{ data: Invitation[] }>('GET', `${base}/invitations`),
  });
  if (!data || data.data.length === 0) return null;
  async function withdraw(id: string) {
    await attempt(() => request('DELETE', `${base}/invitations/${id}`));
    await refetch();
  }
  return (
    <Section title={t('members.open_invitations')}>
      <List>
        {data.data.map(({ id, email, role, expires_at }) => (
          <Row
            key={id}
            title={<bdi dir="ltr">{email}</bdi>}
            end={
              <>
                <Badge>{t(`role.${role}`)}</Badge>
                <Button look="quiet" onPress={() => withdraw(id)}>
                  {t('members.withdraw')}
                </Button>
              </>
            }
          >
            <Soft>{t('members.invited_until', { time: fullTime(expires_at) })}</Soft>
          </Row>
        ))}
      </List>
    </Section>
  );
}
