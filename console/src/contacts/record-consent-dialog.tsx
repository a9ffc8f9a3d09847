import type { Contact } from '@majlis/contract';
import { useState } from 'react';
import { Label, TextArea, TextField } from 'react-aria-components';
import { request } from '../live/request.ts';
import { Choice } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { t } from '../words/words.ts';
import { type ContactAddress, contactPath, showContact } from './contact-data.ts';
import styles from './contact-panel.module.css';

interface Props {
  address: ContactAddress;
  onClose: () => void;
}

/** What a contact told a person, as evidence. */
export function RecordConsentDialog({ address, onClose }: Props) {
  const [decision, decide] = useState<'granted' | 'withdrawn'>('granted');
  async function send(form: FormData) {
    const body = { granted: decision === 'granted', shown_text: String(form.get('shown_text')) };
    showContact(address, await request<Contact>('POST', `${contactPath(address)}/consent-records`, body));
    onClose();
  }
  return (
    <Dialog title={t('consent.record')} onClose={onClose}>
      <Form place="dialog" submit={t('app.save')} send={send} onCancel={onClose}>
        <Choice
          label={t('contact.consent_marketing')}
          options={[
            { id: 'granted', label: t('contact.granted') },
            { id: 'withdrawn', label: t('contact.withdrawn') },
          ]}
          value={decision}
          onChange={decide}
        />
        <TextField name="shown_text" className={styles.area!} maxLength={2_000}>
          <Label>{t('consent.shown_text')}</Label>
          <TextArea rows={3} dir="auto" placeholder=" " />
        </TextField>
        <p className={styles.soft}>{t('consent.record_hint')}</p>
      </Form>
    </Dialog>
  );
}
