import type { Invitation } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../live/request.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Section } from '../parts/page.tsx';
import { fullTime, t } from '../words/words.ts';
import { WithdrawDialog } from './withdraw-dialog.tsx';

/** The invitations that nobody has accepted yet. */
export function Invitations({ base }: { base: string }) {
  const { data, refetch } = useQuery({
    queryKey: [base, 'invitations'],
    queryFn: () => request<{ data: Invitation[] }>('GET', `${base}/invitations`),
  });
  const [withdrawn, setWithdrawn] = useState<Invitation>();
  if (!data || (data.data.length === 0 && !withdrawn)) return null;
  return (
    <Section title={t('members.open_invitations')}>
      <List>
        {data.data.map((invitation) => {
          const { id, email, role, expires_at } = invitation;
          return (
            <Row
              key={id}
              title={<bdi dir="ltr">{email}</bdi>}
              end={
                <>
                  <Badge>{t(`role.${role}`)}</Badge>
                  <Button look="quiet" onPress={() => setWithdrawn(invitation)}>
                    {t('members.withdraw')}
                  </Button>
                </>
              }
            >
              <Soft>{t('members.invited_until', { time: fullTime(expires_at) })}</Soft>
            </Row>
          );
        })}
      </List>
      {withdrawn && (
        <WithdrawDialog
          path={`${base}/invitations`}
          invitation={withdrawn}
          onClose={() => setWithdrawn(undefined)}
          onWithdrawn={refetch}
        />
      )}
    </Section>
  );
}
