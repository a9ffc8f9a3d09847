import type { ApiKeyEntry } from '@majlis/console-api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { confirmed } from '../app/confirm.tsx';
import type { Membership } from '../app/shell.tsx';
import { request, sentenceOf } from '../live/request.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { CopyBox } from '../parts/copy-box.tsx';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { Empty, Loading } from '../parts/empty.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { Switch } from '../parts/switch.tsx';
import { useForm } from '../sign-in/use-form.ts';
import type { WordId } from '../words/en.ts';
import { fullTime, t } from '../words/words.ts';
import { formStyle, listStyle, Page, rowStyle, rowTextStyle, softStyle } from './page.tsx';

const scopes = ['messages:write', 'contacts:read', 'contacts:write'] as const;
type Scope = (typeof scopes)[number];
const scopeWords: Record<Scope, WordId> = {
  'messages:write': 'keys.scope_messages_write',
  'contacts:read': 'keys.scope_contacts_read',
  'contacts:write': 'keys.scope_contacts_write',
};

/** The API keys of a workspace. A new key is shown in full once. */
export function ApiKeysPage({ membership }: { membership: Membership }) {
  const base = `/workspaces/${membership.workspace_id}/api-keys`;
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<ApiKeyEntry>();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: [base] });
  const keys = useQuery({ queryKey: [base], queryFn: () => request<{ data: ApiKeyEntry[] }>('GET', base) });
  const create = (
    <Button look="primary" onPress={() => setMaking(true)}>
      <Plus size={18} aria-hidden />
      {t('keys.create')}
    </Button>
  );
  return (
    <Page title={t('keys.title')} hint={t('keys.hint')} action={create}>
      {keys.error && <Notice kind="danger">{sentenceOf(keys.error)}</Notice>}
      {keys.isPending && <Loading label={t('app.loading')} />}
      {keys.data?.data.length === 0 && <Empty icon={<KeyRound aria-hidden />} title={t('keys.empty')} />}
      {keys.data && keys.data.data.length > 0 && (
        <ul className={listStyle}>
          {keys.data.data.map((key) => (
            <li key={key.id} className={rowStyle}>
              <div className={rowTextStyle}>
                <bdi>{key.name}</bdi>{' '}
                <Badge kind={key.environment === 'live' ? 'warning' : 'plain'}>
                  {key.environment === 'live' ? t('keys.environment_live') : t('keys.environment_test')}
                </Badge>
                <p className={softStyle}>
                  <bdi dir="ltr">{key.key_prefix}…</bdi> · {t('keys.created', { time: fullTime(key.created_at) })}
                </p>
                <p className={softStyle}>
                  <bdi dir="ltr">{key.scopes.join(', ')}</bdi>
                </p>
              </div>
              <Button look="quiet" onPress={() => setRevoked(key)}>
                {t('keys.revoke')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isMaking && <CreateDialog base={base} onClose={() => setMaking(false)} onMade={refresh} />}
      {revoked && (
        <RevokeDialog base={base} entry={revoked} onClose={() => setRevoked(undefined)} onRevoked={refresh} />
      )}
    </Page>
  );
}

function CreateDialog({
  base,
  onClose,
  onMade,
}: {
  base: string;
  onClose: () => void;
  onMade: () => Promise<unknown>;
}) {
  const [environment, setEnvironment] = useState<'test' | 'live'>('test');
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set(['messages:write', 'contacts:read']));
  const [key, setKey] = useState<string>();
  const { isPending, fault, faultOf, onSubmit } = useForm(async (form) => {
    const body = { name: form.get('name'), environment, scopes: [...chosen] };
    const made = await confirmed(() => request<{ key: string }>('POST', base, body));
    setKey(made.key);
    await onMade();
  });
  function toggle(scope: Scope, isOn: boolean) {
    setChosen(new Set(scopes.filter((one) => (one === scope ? isOn : chosen.has(one)))));
  }
  if (key) {
    return (
      <Dialog title={t('keys.create_title')} onClose={onClose}>
        <Notice>{t('keys.shown_once')}</Notice>
        <CopyBox text={key} label={t('keys.create_title')} />
        <DialogActions>
          <Button look="primary" onPress={onClose}>
            {t('app.close')}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('keys.create_title')} onClose={onClose}>
      <Form className={formStyle} onSubmit={onSubmit}>
        {fault && <Notice kind="danger">{fault}</Notice>}
        <Field label={t('keys.name')} error={faultOf('name')} name="name" isRequired autoFocus />
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
          <p className={softStyle}>{t('keys.scopes_note')}</p>
        </fieldset>
        <DialogActions>
          <Button onPress={onClose}>{t('app.cancel')}</Button>
          <Button type="submit" look="primary" isPending={isPending}>
            {t('keys.create_submit')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

interface RevokeDialogProps {
  base: string;
  entry: ApiKeyEntry;
  onClose: () => void;
  onRevoked: () => Promise<unknown>;
}

function RevokeDialog({ base, entry, onClose, onRevoked }: RevokeDialogProps) {
  const [fault, setFault] = useState<string>();
  async function revoke() {
    try {
      await confirmed(() => request('DELETE', `${base}/${entry.id}`));
      await onRevoked();
      onClose();
    } catch (error) {
      setFault(sentenceOf(error));
    }
  }
  return (
    <Dialog title={t('keys.revoke_title', { name: `\u2068${entry.name}\u2069` })} onClose={onClose}>
      {fault && <Notice kind="danger">{fault}</Notice>}
      <p>{t('keys.revoke_hint')}</p>
      <DialogActions>
        <Button onPress={onClose}>{t('app.cancel')}</Button>
        <Button look="danger" onPress={revoke}>
          {t('keys.revoke')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
