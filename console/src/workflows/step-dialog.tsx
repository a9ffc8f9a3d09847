import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Switch } from '../parts/switch.tsx';
import { t } from '../words/words.ts';
import { ConditionsFields } from './conditions-fields.tsx';
import { type BranchCase, isApprovable, type Step, type StepKind } from './definition.ts';
import { StepFieldInput } from './step-field-input.tsx';
import { approvalFields, type StepField, stepFields } from './step-fields.ts';
import { kindText } from './step-words.ts';
import styles from './workflows.module.css';

interface Props {
  workspace_id: string;
  step: Step;
  /** Rejects with the faults of the step. */
  onSave: (step: Step) => Promise<void>;
  onClose: () => void;
}

/** The form of one step. What it does in its branches stands in the diagram. */
export function StepDialog({ workspace_id, step, onSave, onClose }: Props) {
  const [draft, setDraft] = useState(step);
  const set = (member: string, value: unknown) =>
    setDraft(({ [member]: _, ...others }) => (value === undefined ? others : { ...others, [member]: value }) as Step);
  const shown = (fields: readonly StepField[]) => fields.filter(({ isShown = () => true }) => isShown(draft));
  const inputOf = (field: StepField) => (
    <StepFieldInput
      key={field.member}
      workspace_id={workspace_id}
      field={field}
      step={draft}
      onChange={(value) => set(field.member, value)}
    />
  );
  async function send() {
    await onSave(draft);
    onClose();
  }
  return (
    <Dialog title={kindText(draft.do)} onClose={onClose}>
      <Form place="dialog" submit={t('workflows.apply')} send={send} onCancel={onClose}>
        {(draft.do === 'send_message' || draft.do === 'ask') && (
          <Switch
            label={t('workflows.other_message')}
            isSelected={draft.message !== undefined}
            onChange={(isOther) => {
              set('message', isOther ? { kind: 'text', body: draft.text ?? '' } : undefined);
              set('text', isOther ? undefined : '');
            }}
          />
        )}
        {draft.do === 'wait' && (
          <Switch
            label={t('workflows.until_moment')}
            isSelected={draft.until !== undefined}
            onChange={(isMoment) => {
              set('until', isMoment ? '' : undefined);
              set('for', isMoment ? undefined : '1h');
            }}
          />
        )}
        {draft.do === 'assign' && (
          <Switch
            label={t('workflows.assign_next')}
            isSelected={draft.round_robin === true}
            onChange={(isNext) => {
              set('round_robin', isNext || undefined);
              set('user', undefined);
              set('team', undefined);
            }}
          />
        )}
        {shown(stepFields[draft.do as StepKind]).map(inputOf)}
        {isApprovable(draft) && (
          <Switch
            label={t('workflows.ask_person')}
            isSelected={draft.approval_within !== undefined}
            onChange={(isAsked) => {
              set('approval_within', isAsked ? '1d' : undefined);
              set('on_refusal', undefined);
            }}
          />
        )}
        {draft.approval_within !== undefined && approvalFields.map(inputOf)}
        {draft.do === 'branch' && <CasesFields step={draft} set={set} />}
        {draft.do !== 'end' && (
          <details className={styles.more}>
            <summary>{t('workflows.more')}</summary>
            <Field
              label={t('workflows.field_name')}
              hint={t('workflows.name_hint')}
              name="name"
              ltr
              value={draft.name ?? ''}
              onChange={(name) => set('name', name === '' ? undefined : name)}
            />
            <Choice
              label={t('workflows.field_on_error')}
              options={[
                { id: 'fail', label: t('workflows.error_fails') },
                { id: 'continue', label: t('workflows.continues') },
                { id: 'steps', label: t('workflows.own_steps') },
              ]}
              value={Array.isArray(draft.on_error) ? 'steps' : ((draft.on_error as 'continue' | undefined) ?? 'fail')}
              onChange={(choice) =>
                set('on_error', choice === 'steps' ? listOf(draft.on_error) : choice === 'fail' ? undefined : choice)
              }
            />
          </details>
        )}
      </Form>
    </Dialog>
  );
}

const listOf = (value: unknown) => (Array.isArray(value) ? value : []);

function CasesFields({ step, set }: { step: Step; set: (member: string, value: unknown) => void }) {
  const cases = (step.cases ?? []) as BranchCase[];
  const [keys, setKeys] = useState(() => cases.map((_, index) => index));
  const next = Math.max(-1, ...keys) + 1;
  return (
    <>
      <p className={styles.soft}>{t('workflows.cases_hint')}</p>
      {cases.map((one, index) => (
        <div key={keys[index]} className={styles.group}>
          <ConditionsFields
            label={t('workflows.case', { number: index + 1 })}
            conditions={one.when}
            onChange={(when) => set('cases', cases.with(index, { ...one, when }))}
          />
          {cases.length > 1 && (
            <div>
              <Button
                look="quiet"
                onPress={() => {
                  setKeys(keys.toSpliced(index, 1));
                  set('cases', cases.toSpliced(index, 1));
                }}
              >
                <Trash2 size={16} aria-hidden />
                {t('workflows.delete_case', { number: index + 1, count: one.steps?.length ?? 0 })}
              </Button>
            </div>
          )}
        </div>
      ))}
      <div>
        <Button
          onPress={() => {
            setKeys([...keys, next]);
            set('cases', [...cases, { when: [{ value: '{{contact.language}}', equals: 'ar' }], steps: [] }]);
          }}
        >
          <Plus size={16} aria-hidden />
          {t('workflows.add_case')}
        </Button>
      </div>
      <Switch
        label={t('workflows.has_else')}
        isSelected={step.else !== undefined}
        onChange={(hasElse) => set('else', hasElse ? [] : undefined)}
      />
    </>
  );
}
