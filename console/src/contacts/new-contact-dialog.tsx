import type { Contact } from '@majlis/contract';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Failure, request } from '../live/request.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { Switch } from '../parts/switch.tsx';
import { tell } from '../parts/toasts.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';

interface Props {
  workspace_id: string;
  onClose: () => void;
}

/** Makes a contact. One that has the number already is shown instead: nothing of it is overwritten. */
export function NewContactDialog({ workspace_id, onClose }: Props) {
  const [, navigate] = useLocation();
  const [hasAgreed, setAgreed] = useState(false);
  const [known, setKnown] = useState<Contact>();
  async function send(form: FormData) {
    const read = (member: string) => String(form.get(member) ?? '').trim();
    const [identifier, name, email] = [read('identifier'), read('name'), read('email')];
    const body = {
      identities: [{ channel_type: 'chatapp', identifier }],
      ...(name !== '' && { name }),
      ...(email !== '' && { email }),
      ...(hasAgreed && { consents: { chatapp_marketing: true } }),
    };
    setKnown(undefined);
    const path = `/workspaces/${workspace_id}/new-contacts`;
    const { contact, is_new } = await request<{ contact: Contact; is_new: boolean }>('POST', path, body).catch(
      (error) => {
        throw toFields(error);
      },
    );
    if (!is_new) return setKnown(contact);
    tell(t('contacts.made'));
    navigate(`/w/${workspace_id}/contacts/${contact.id}`);
  }
  return (
    <Dialog title={t('contacts.new')} onClose={onClose}>
      <Form place="dialog" submit={t('contacts.make')} send={send} onCancel={onClose}>
        {known && (
          <Notice action={<Link href={`/w/${workspace_id}/contacts/${known.id}`}>{t('contacts.open_known')}</Link>}>
            {t('contacts.known', { name: isolated(known.name ?? known.identities[0]?.identifier ?? '') })}
          </Notice>
        )}
        <Field
          label={t('contacts.phone')}
          hint={t('contacts.phone_hint')}
          name="identifier"
          type="tel"
          ltr
          isRequired
          autoFocus
        />
        <Field label={t('contact.name')} name="name" />
        <Field label={t('contacts.email')} name="email" type="email" ltr />
        <Switch label={t('contacts.agreed')} isSelected={hasAgreed} onChange={setAgreed} />
      </Form>
    </Dialog>
  );
}

/** The service names the place of the number in the body. */
function toFields(error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const members = [...error.members].map(([pointer, detail]): [string, string] =>
    pointer.startsWith('identities') ? ['identifier', t('import.fault_invalid_phone')] : [pointer, detail],
  );
  return new Failure(error.code, new Map(members), error.retry_after_seconds);
}
