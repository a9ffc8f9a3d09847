import type { PasskeyEntry } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { Fingerprint, Plus } from 'lucide-react';
import { useState } from 'react';
import { confirmed } from '../app/confirm.tsx';
import { request } from '../live/request.ts';
import { loadSession } from '../live/session.ts';
import { AskDialog } from '../parts/ask-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { Section } from '../parts/page.tsx';
import { hasPasskeys, makePasskey } from '../sign-in/passkey.ts';
import { useMethods } from '../sign-in/use-methods.ts';
import { isolated } from '../words/isolated.ts';
import { fullTime, t } from '../words/words.ts';
import { describeBrowser } from './describe-browser.ts';

/** What is open in front of the list. */
type Opened = { type: 'add' } | { type: 'rename' | 'remove'; passkey: PasskeyEntry };

/** The passkeys of the person. */
export function PasskeysSection() {
  const methods = useMethods();
  const [opened, setOpened] = useState<Opened>();
  const passkeys = useQuery({
    queryKey: ['passkeys'],
    queryFn: () => request<{ data: PasskeyEntry[] }>('GET', '/passkeys'),
  });
  const close = () => setOpened(undefined);
  async function change(act: () => Promise<unknown>) {
    await act();
    close();
    await Promise.all([passkeys.refetch(), loadSession()]);
  }
  const add = (name: string) =>
    change(() => confirmed(async () => request('POST', '/passkeys', { name, response: await makePasskey() })));
  return (
    <Section title={t('security.passkeys')}>
      <Soft>{t('security.passkeys_hint')}</Soft>
      <Loaded query={passkeys}>
        {({ data }) =>
          data.length > 0 && (
            <List>
              {data.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} onOpen={(type) => setOpened({ type, passkey })} />
              ))}
            </List>
          )
        }
      </Loaded>
      {methods && <AddButton origin={methods.passkey_origin} onPress={() => setOpened({ type: 'add' })} />}
      {opened?.type === 'add' && (
        <NameDialog
          title={t('security.passkey_add')}
          name={describeBrowser(navigator.userAgent)}
          send={add}
          onClose={close}
        />
      )}
      {opened?.type === 'rename' && (
        <NameDialog
          title={t('security.passkey_rename')}
          name={opened.passkey.name}
          send={(name) => change(() => request('PATCH', `/passkeys/${opened.passkey.id}`, { name }))}
          onClose={close}
        />
      )}
      {opened?.type === 'remove' && (
        <AskDialog
          title={t('security.passkey_remove_title', { name: isolated(opened.passkey.name) })}
          hint={t('security.passkey_remove_hint')}
          action={t('security.passkey_remove')}
          act={() => change(() => confirmed(() => request('DELETE', `/passkeys/${opened.passkey.id}`)))}
          onClose={close}
        />
      )}
    </Section>
  );
}

function PasskeyRow({ passkey, onOpen }: { passkey: PasskeyEntry; onOpen: (type: 'rename' | 'remove') => void }) {
  const { name, created_at, last_used_at } = passkey;
  return (
    <Row
      start={<Fingerprint size={20} aria-hidden />}
      title={<bdi>{name}</bdi>}
      end={
        <>
          <Button look="quiet" onPress={() => onOpen('rename')}>
            {t('security.passkey_rename')}
          </Button>
          <Button look="quiet" onPress={() => onOpen('remove')}>
            {t('security.passkey_remove')}
          </Button>
        </>
      }
    >
      <Soft>
        {last_used_at
          ? t('security.passkey_used', { created: fullTime(created_at), used: fullTime(last_used_at) })
          : t('security.passkey_unused', { created: fullTime(created_at) })}
      </Soft>
    </Row>
  );
}

/** Where passkeys do not work, says what they need. */
function AddButton({ origin, onPress }: { origin: string | undefined; onPress: () => void }) {
  if (hasPasskeys(origin)) {
    return (
      <div>
        <Button onPress={onPress}>
          <Plus size={18} aria-hidden />
          {t('security.passkey_add')}
        </Button>
      </div>
    );
  }
  if (origin === undefined) return <Notice>{t('security.passkeys_https')}</Notice>;
  if (origin === location.origin) return <Notice>{t('security.passkeys_browser')}</Notice>;
  return <Notice>{t('security.passkeys_elsewhere', { address: `\u2066${origin}\u2069` })}</Notice>;
}

interface NameProps {
  title: string;
  name: string;
  send: (name: string) => Promise<void>;
  onClose: () => void;
}

function NameDialog({ title, name, send, onClose }: NameProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        place="dialog"
        submit={t('sign_in.continue')}
        send={(form) => send(String(form.get('name')))}
        onCancel={onClose}
      >
        <Field
          label={t('security.passkey_name')}
          hint={t('security.passkey_name_hint')}
          name="name"
          defaultValue={name}
          maxLength={100}
          isRequired
          autoFocus
        />
      </Form>
    </Dialog>
  );
}
