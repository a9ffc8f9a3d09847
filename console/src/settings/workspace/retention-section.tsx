import type { RetentionState } from '@majlis/console-api';
import { retentionDays } from '@majlis/console-api/bounds';
import { useState } from 'react';
import { confirmed } from '../../app/confirm.tsx';
import { useLiveQuery } from '../../live/live-query.ts';
import { settingsChanged } from '../../live/queries.ts';
import { request } from '../../live/request.ts';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Soft } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/page.tsx';
import { Switch } from '../../parts/switch.tsx';
import { tell } from '../../parts/toasts.ts';
import { numberText } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';
import { isSettings } from '../is-settings.ts';
import { RetentionDialog } from './retention-dialog.tsx';
import styles from './workspace.module.css';

/** How long closed conversations are kept. */
export function RetentionSection({ workspace_id }: { workspace_id: string }) {
  const path = `/workspaces/${workspace_id}/retention`;
  const retention = useLiveQuery<RetentionState>(path, isSettings);
  async function save(state: RetentionState) {
    await confirmed(() => request('PUT', path, state));
    tell(t('app.saved'));
    settingsChanged(workspace_id);
  }
  return (
    <Section title={t('retention.title')}>
      <Loaded query={retention}>
        {(state) => <RetentionForm key={state.version} path={path} state={state} save={save} />}
      </Loaded>
    </Section>
  );
}

interface Props {
  path: string;
  state: RetentionState;
  save: (state: RetentionState) => Promise<void>;
}

function RetentionForm({ path, state, save }: Props) {
  const { conversation_days: kept, version } = state;
  const [isOn, setOn] = useState(kept !== null);
  const [text, setText] = useState(kept?.toString() ?? '');
  const [asked, ask] = useState<number>();
  const { least, most } = retentionDays;
  const typed = readDays(text);
  const isOut = text !== '' && !(typed >= least && typed <= most);
  const hint = t('retention.days_hint', { least: numberText(least), most: numberText(most) });

  async function send() {
    if (isOn && isOut) return;
    const days = isOn ? typed : null;
    // Nothing is deleted that would not have been.
    if (days === null || (kept !== null && days >= kept)) await save({ version, conversation_days: days });
    else ask(days);
  }
  return (
    <div className={styles.retention}>
      <Soft>{t('retention.hint')}</Soft>
      <Form submit={t('retention.next')} send={send} faults={isOn && isOut ? { conversation_days: hint } : {}}>
        <Switch label={t('retention.on')} isSelected={isOn} onChange={setOn} />
        {isOn && (
          <Field
            label={t('retention.days')}
            hint={isOut ? undefined : hint}
            name="conversation_days"
            inputMode="numeric"
            ltr
            isRequired
            maxLength={5}
            value={text}
            onChange={setText}
          />
        )}
      </Form>
      {asked !== undefined && (
        <RetentionDialog
          path={path}
          days={asked}
          act={() => save({ version, conversation_days: asked })}
          onClose={() => ask(undefined)}
        />
      )}
    </div>
  );
}

/** People type the digits of their language. */
function readDays(text: string): number {
  const latin = text.trim().replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660));
  return /^\d+$/.test(latin) ? Number(latin) : Number.NaN;
}
