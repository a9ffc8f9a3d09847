import { UserX } from 'lucide-react';
import { Empty } from '../parts/empty.tsx';
import { t } from '../words/words.ts';
import { type ContactAddress, useContact } from './contact-data.ts';

export function ContactGone() {
  return <Empty icon={<UserX aria-hidden />} title={t('contact.gone')} hint={t('contact.gone_hint')} />;
}

/** In the place of a conversation that is gone: with its contact, or because the person may not see it any more. */
export function ConversationGone({ address }: { address: ContactAddress }) {
  const { query, isGone } = useContact(address);
  if (isGone) return <ContactGone />;
  if (query.isFetching) return null;
  return <Empty icon={<UserX aria-hidden />} title={t('contact.hidden')} hint={t('contact.hidden_hint')} />;
}
