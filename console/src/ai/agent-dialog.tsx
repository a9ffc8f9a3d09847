import type { AiAgentState, AiAgentStatus } from '@majlis/console-api';
import { useState } from 'react';
import { nameOfLanguage } from '../composer/name-of-language.ts';
import { Failure, request } from '../live/request.ts';
import { Choice } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Soft } from '../parts/list.tsx';
import { Notice } from '../parts/notice.tsx';
import { Switch } from '../parts/switch.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { tell } from '../parts/toasts.ts';
import { t } from '../words/words.ts';
import styles from './ai.module.css';
import { agentsPath, aiChanged } from './ai-data.ts';
import { readCredits } from './read-credits.ts';

const offered = ['ar', 'en', 'ur', 'hi', 'fa', 'fr', 'tr', 'bn', 'fil'];
const statuses: readonly AiAgentStatus[] = ['active', 'paused', 'draft'];

interface Props {
  workspace_id: string;
  /** Undefined for a new agent. */
  state: AiAgentState | undefined;
  onClose: () => void;
}

/** Makes an agent, or changes one. */
export function AgentDialog({ workspace_id, state, onClose }: Props) {
  // The dialog keeps what the person saw when it opened, so that a change meanwhile is noticed.
  const [before] = useState(state);
  const [languages, setLanguages] = useState<ReadonlySet<string>>(new Set(before?.agent.languages ?? ['ar', 'en']));
  const [status, setStatus] = useState<AiAgentStatus>(statusOf(before));
  const [proposes, setProposes] = useState(before?.proposes ?? false);
  const [isStale, setStale] = useState(false);
  const codes = [...new Set([...offered, ...(before?.agent.languages ?? [])])];

  async function send(form: FormData) {
    const values = {
      name: String(form.get('name')),
      status,
      languages: codes.filter((code) => languages.has(code)),
      instructions: String(form.get('instructions')),
      proposes,
      monthly_credits: readCredits(form),
    };
    const path = agentsPath(workspace_id);
    try {
      if (before) await request('PATCH', `${path}/${before.agent.id}`, { version: before.version, ...values });
      else await request('POST', path, values);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'changed_meanwhile') throw error;
      setStale(true);
      await aiChanged(workspace_id);
      return;
    }
    tell(t('app.saved'));
    await aiChanged(workspace_id);
    onClose();
  }

  return (
    <Dialog title={t(before ? 'ai.edit_title' : 'ai.new')} onClose={onClose}>
      <Form place="dialog" submit={t('app.save')} send={send} onCancel={onClose}>
        {isStale && <Notice kind="danger">{t('ai.stale')}</Notice>}
        <Field
          label={t('ai.name')}
          hint={t('ai.name_hint')}
          name="name"
          isRequired
          maxLength={100}
          autoFocus
          defaultValue={before?.agent.name ?? ''}
        />
        <TextArea
          label={t('ai.instructions')}
          hint={t('ai.instructions_hint')}
          name="instructions"
          rows={6}
          defaultValue={before?.instructions ?? ''}
        />
        <fieldset>
          <legend>{t('ai.languages')}</legend>
          <div className={styles.switches}>
            {codes.map((code) => (
              <Switch
                key={code}
                label={nameOfLanguage(code)}
                isSelected={languages.has(code)}
                onChange={(isOn) =>
                  setLanguages(new Set(codes.filter((one) => (one === code ? isOn : languages.has(one)))))
                }
              />
            ))}
          </div>
        </fieldset>
        <Choice
          label={t('ai.status')}
          options={statuses.map((id) => ({ id, label: t(`ai.status_${id}`), hint: t(`ai.status_${id}_hint`) }))}
          value={status}
          onChange={setStatus}
        />
        <div>
          <Switch label={t('ai.proposes')} isSelected={proposes} onChange={setProposes} />
          <Soft>{t('ai.proposes_hint')}</Soft>
        </div>
        <Field
          label={t('ai.own_budget')}
          hint={t('ai.own_budget_hint')}
          name="monthly_credits"
          inputMode="numeric"
          ltr
          pattern="[0-9]*"
          maxLength={9}
          defaultValue={before?.monthly_credits?.toString() ?? ''}
        />
      </Form>
    </Dialog>
  );
}

function statusOf(state: AiAgentState | undefined): AiAgentStatus {
  if (!state || state.is_active) return 'active';
  return state.agent.status?.toLowerCase() === 'draft' ? 'draft' : 'paused';
}
