import { UserX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { Membership } from '../live/membership.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { t } from '../words/words.ts';
import { useContact } from './contact-data.ts';

interface Props {
  membership: Membership;
  children?: ReactNode;
}

/** In the place of a contact that is gone, or that a person who sees own teams alone may not see: the service does not tell which. */
export function ContactGone({ membership: { own_teams_only }, children }: Props) {
  const [title, hint] = own_teams_only
    ? [t('contact.away'), t('contact.away_hint')]
    : [t('contact.gone'), t('contact.gone_hint')];
  return (
    <Empty icon={<UserX aria-hidden />} title={title} hint={hint}>
      {children}
    </Empty>
  );
}

/**
 * In the place of a conversation that is gone: with its contact, or because the person may not see it any more. A phone shows nothing
 * beside it.
 */
export function ConversationGone({ membership, contact_id }: { membership: Membership; contact_id: string }) {
  const { workspace_id } = membership;
  const { query, isGone } = useContact({ workspace_id, contact_id });
  const [, navigate] = useLocation();
  const back = <Button onPress={() => navigate(`/w/${workspace_id}/inbox`)}>{t('app.back')}</Button>;
  if (isGone) return <ContactGone membership={membership}>{back}</ContactGone>;
  if (query.isFetching) return null;
  return (
    <Empty icon={<UserX aria-hidden />} title={t('contact.hidden')} hint={t('contact.hidden_hint')}>
      {back}
    </Empty>
  );
}
