import { mayAct } from '@majlis/console-api/roles';
import type { Contact, Conversation } from '@majlis/contract';
import { Merge, Trash2, X } from 'lucide-react';
import { type ReactNode, Suspense, useId, useState } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { lazyDesk } from '../app/lazy-page.tsx';
import type { Membership } from '../live/membership.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { insteadOfClosable } from '../parts/missing-part.ts';
import { useIsWide } from '../parts/use-is-wide.ts';
import { t } from '../words/words.ts';
import { ConsentHistory } from './consent-history.tsx';
import { type ContactAddress, useContact, useCustomFields } from './contact-data.ts';
import { ContactGone } from './contact-gone.tsx';
import styles from './contact-panel.module.css';
import { ConversationHistory } from './conversation-history.tsx';
import { CustomFieldRows } from './custom-field-rows.tsx';
import { Details } from './details.tsx';
import { EditRow } from './edit-row.tsx';
import { Handles } from './handles.tsx';
import { Tags } from './tags.tsx';
import { memberOf } from './use-edit.ts';

// Few people merge or erase, and the words come with it.
const MergeDialog = lazyDesk(async () => (await import('./merge-dialog.tsx')).MergeDialog, insteadOfClosable);
const EraseDialog = lazyDesk(async () => (await import('./erase-dialog.tsx')).EraseDialog, insteadOfClosable);

interface Props {
  membership: Membership;
  conversation: Conversation;
  onClose: () => void;
}

/** The contact of a conversation, beside it; on a small screen a sheet in front of it. */
export function ContactPanel({ membership, conversation, onClose }: Props) {
  const isWide = useIsWide();
  const title = useId();
  const content = <PanelContent key={conversation.contact_id} membership={membership} conversation={conversation} />;
  if (isWide) {
    return (
      <aside className={styles.panel} aria-labelledby={title}>
        <header className={styles.header}>
          <h2 id={title}>{t('contact.title')}</h2>
          <CloseButton onClose={onClose} />
        </header>
        {content}
      </aside>
    );
  }
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(isOpen) => !isOpen && onClose()} className={styles.overlay!}>
      <Modal className={styles.sheet!}>
        <AriaDialog className={styles.panel!}>
          <header className={styles.header}>
            <Heading slot="title" level={2}>
              {t('contact.title')}
            </Heading>
            <CloseButton onClose={onClose} />
          </header>
          {content}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <Button look="quiet" aria-label={t('contact.close')} onPress={onClose}>
      <X size={18} aria-hidden />
    </Button>
  );
}

function PanelContent({ membership, conversation }: Omit<Props, 'onClose'>) {
  const { workspace_id } = membership;
  const address = { workspace_id, contact_id: conversation.contact_id };
  const { query, isGone } = useContact(address);
  if (isGone) return <ContactGone membership={membership} />;
  return (
    <div className={styles.scroller}>
      <Loaded shape="panel" query={query}>
        {(contact) => (
          <ContactSections
            membership={membership}
            conversation_id={conversation.id}
            address={address}
            contact={contact}
          />
        )}
      </Loaded>
    </div>
  );
}

interface SectionsProps {
  membership: Membership;
  /** The one beside which they stand. */
  conversation_id?: string;
  address: ContactAddress;
  contact: Contact;
}

/** Everything about a contact, each value to change in place. */
export function ContactSections({ membership, conversation_id, address, contact }: SectionsProps) {
  const hasFields = useCustomFields(address.workspace_id).length > 0;
  const name = contact.name ?? contact.identities[0]?.identifier ?? t('inbox.unnamed');
  return (
    <>
      <div className={styles.head}>
        <Avatar name={name} />
        <div className={styles.headText}>
          <EditRow
            address={address}
            contact={contact}
            label={t('contact.name')}
            member={memberOf('name')}
            typed={{ type: 'text' }}
            isHeading
          />
          <div className={styles.badges}>
            {contact.vip && <Badge kind="accent">{t('contact.vip')}</Badge>}
            {contact.blocked && <Badge kind="warning">{t('contact.blocked')}</Badge>}
          </div>
        </div>
      </div>
      <Section title={t('contact.handles')}>
        <Handles identities={contact.identities} />
      </Section>
      <Section title={t('contact.details')}>
        <Details address={address} contact={contact} />
      </Section>
      <Section title={t('contact.tags')}>
        <Tags address={address} contact={contact} />
      </Section>
      {hasFields && (
        <Section title={t('contact.fields')}>
          <CustomFieldRows address={address} contact={contact} />
        </Section>
      )}
      <Section title={t('contact.consents')}>
        <ConsentHistory address={address} contact={contact} conversation_id={conversation_id} />
      </Section>
      <Section title={t(conversation_id === undefined ? 'contact.conversations' : 'contact.history')}>
        <ConversationHistory address={address} conversation_id={conversation_id} />
      </Section>
      <Actions membership={membership} address={address} contact={contact} />
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

/** What cannot be taken back. */
function Actions({ membership, address, contact }: SectionsProps) {
  const [opened, open] = useState<'merge' | 'erase'>();
  const close = () => open(undefined);
  if (!mayAct(membership.role, 'supervisor')) return null;
  return (
    <div className={styles.end}>
      <Button onPress={() => open('merge')}>
        <Merge size={16} aria-hidden />
        {t('merge.open')}
      </Button>
      {mayAct(membership.role, 'admin') && (
        <Button onPress={() => open('erase')}>
          <Trash2 size={16} aria-hidden />
          {t('erase.open')}
        </Button>
      )}
      <Suspense>{opened === 'merge' && <MergeDialog address={address} contact={contact} onClose={close} />}</Suspense>
      <Suspense>{opened === 'erase' && <EraseDialog address={address} contact={contact} onClose={close} />}</Suspense>
    </div>
  );
}
