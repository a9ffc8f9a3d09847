import { useState } from 'react';
import { confirmed } from '../app/confirm.tsx';
import { request } from '../live/request.ts';
import { Choice } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Soft } from '../parts/list.tsx';
import { SecretDialog, SecretText } from '../parts/secret-dialog.tsx';
import { Switch } from '../parts/switch.tsx';
import type { WordId } from '../words/word-id.ts';
import { t } from '../words/words.ts';

const scopes = ['messages:write', 'contacts:read', 'contacts:write'] as const;
type Scope = (typeof scopes)[number];
const scopeWords: Record<Scope, WordId> = {
  'messages:write': 'keys.scope_messages_write',
  'contacts:read': 'keys.scope_contacts_read',
  'contacts:write': 'keys.scope_contacts_write',
};

interface Props {
  base: string;
  onClose: () => void;
  onMade: () => Promise<unknown>;
}

/** Makes an API key and shows it once. */
export function CreateKeyDialog({ base, onClose, onMade }: Props) {
  const [environment, setEnvironment] = useState<'test' | 'live'>('test');
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set(['messages:write', 'contacts:read']));
  const [key, setKey] = useState<string>();
  async function send(form: FormData) {
    const body = { name: form.get('name'), environment, scopes: [...chosen] };
    const made = await confirmed(() => request<{ key: string }>('POST', base, body));
    setKey(made.key);
    await onMade();
  }
  function toggle(scope: Scope, isOn: boolean) {
    setChosen(new Set(scopes.filter((one) => (one === scope ? isOn : chosen.has(one)))));
  }
  if (key) {
    return (
      <SecretDialog
        title={t('keys.create_title')}
        hint={t('keys.shown_once')}
        text={key}
        file="majlis-key.txt"
        onClose={onClose}
      >
        <SecretText text={key} label={t('keys.create_title')} />
      </SecretDialog>
    );
  }
  return (
    <Dialog title={t('keys.create_title')} onClose={onClose}>
      <Form place="dialog" submit={t('keys.create_submit')} send={send} onCancel={onClose}>
        <Field label={t('keys.name')} name="name" isRequired autoFocus />
        <Choice
          label={t('keys.environment')}
          options={[
            { id: 'test', label: t('keys.environment_test') },
            { id: 'live', label: t('keys.environment_live') },
          ]}
          value={environment}
          onChange={setEnvironment}
        />
        <fieldset>
          <legend>{t('keys.scopes')}</legend>
          {scopes.map((scope) => (
            <Switch
              key={scope}
              label={t(scopeWords[scope])}
              isSelected={chosen.has(scope)}
              onChange={(isOn) => toggle(scope, isOn)}
            />
          ))}
          <Soft>{t('keys.scopes_note')}</Soft>
        </fieldset>
      </Form>
    </Dialog>
  );
}
