import type { ErasedCounts } from '@majlis/console-api';
import type { Contact } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { confirmed } from '../app/confirm.tsx';
import { request } from '../live/request.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { ErasedCountsList } from '../settings/receipts/erased-counts.tsx';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { type ContactAddress, contactPath, forgetContact } from './contact-data.ts';

interface Props {
  address: ContactAddress;
  contact: Contact;
  onClose: () => void;
}

/** Says in numbers what an erasure deletes, performs it, and goes to its receipt. */
export function EraseDialog({ address, contact, onClose }: Props) {
  const [, navigate] = useLocation();
  const path = `${contactPath(address)}/erasure-preview`;
  const preview = useQuery({ queryKey: [path], gcTime: 0, queryFn: () => request<ErasedCounts>('GET', path) });
  const name = isolated(contact.name ?? contact.identities[0]?.identifier ?? '');
  async function erase() {
    await confirmed(() => request('DELETE', contactPath(address)));
    onClose();
    navigate(`/w/${address.workspace_id}/receipts/${address.contact_id}`);
    forgetContact(address);
  }
  return (
    <Dialog title={t('erase.title')} onClose={onClose}>
      <Form place="dialog" look="danger" submit={t('erase.confirm')} send={erase} onCancel={onClose}>
        <p>{t('erase.hint', { name })}</p>
        <Loaded query={preview}>
          {(counts) => (
            <>
              <p>{t('erase.counting')}</p>
              <ErasedCountsList counts={counts} />
            </>
          )}
        </Loaded>
        <Notice>{t('erase.final')}</Notice>
      </Form>
    </Dialog>
  );
}
