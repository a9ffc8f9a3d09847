import { Send } from 'lucide-react';
import { useState } from 'react';
import type { Membership } from '../live/membership.ts';
import { BackLink } from '../parts/back-link.tsx';
import { Button } from '../parts/button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { t } from '../words/words.ts';
import { useContact } from './contact-data.ts';
import { ContactGone } from './contact-gone.tsx';
import { ContactSections } from './contact-panel.tsx';
import styles from './contacts-page.module.css';
import { SendTemplateDialog } from './send-template-dialog.tsx';

interface Props {
  membership: Membership;
  contact_id: string;
}

/** One contact with everything that the panel beside a conversation shows, and a way to write first. */
export function ContactPage({ membership, contact_id }: Props) {
  const { workspace_id } = membership;
  const address = { workspace_id, contact_id };
  const { query, isGone } = useContact(address);
  const [isWriting, setWriting] = useState(false);
  const { data: contact } = query;
  const back = <BackLink href={`/w/${workspace_id}/contacts`}>{t('contacts.back')}</BackLink>;
  if (isGone) {
    return (
      <Page title={t('contact.title')} action={back}>
        <ContactGone membership={membership} />
      </Page>
    );
  }
  return (
    <Page title={t('contact.title')} action={back}>
      <Loaded query={query}>
        {(shown) => (
          <>
            <div className={styles.actions}>
              <Button look="primary" isDisabled={shown.blocked} onPress={() => setWriting(true)}>
                <Send size={16} data-directional aria-hidden />
                {t('contacts.write')}
              </Button>
            </div>
            <div className={styles.card}>
              <ContactSections membership={membership} address={address} contact={shown} />
            </div>
          </>
        )}
      </Loaded>
      {isWriting && contact && (
        <SendTemplateDialog workspace_id={workspace_id} contact={contact} onClose={() => setWriting(false)} />
      )}
    </Page>
  );
}
