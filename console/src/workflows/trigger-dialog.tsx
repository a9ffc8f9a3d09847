import { useState } from 'react';
import { Choice } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';
import { ConditionsFields } from './conditions-fields.tsx';
import { type Definition, triggers } from './definition.ts';
import { triggerText } from './workflow-data.ts';

interface Props {
  definition: Definition;
  /** Rejects with the faults of these members. */
  onSave: (definition: Definition) => Promise<void>;
  onClose: () => void;
}

/** When the workflow starts, and who controls the conversation meanwhile. */
export function TriggerDialog({ definition, onSave, onClose }: Props) {
  const [draft, setDraft] = useState(definition);
  const { trigger, when = [], reply_from, after, control = 'bot' } = draft;
  const change = (part: Partial<Definition>) => setDraft({ ...draft, ...part });
  async function send() {
    await onSave(draft);
    onClose();
  }
  function choose(chosen: string) {
    const { reply_from: _from, after: _after, ...others } = draft;
    const wait = chosen === 'no_reply' ? { reply_from: 'business', after: '15m' } : {};
    setDraft({ ...others, ...wait, trigger: chosen });
  }
  return (
    <Dialog title={t('workflows.start')} onClose={onClose}>
      <Form place="dialog" submit={t('workflows.apply')} send={send} onCancel={onClose}>
        <Choice
          label={t('workflows.trigger')}
          options={triggers.map((id) => ({ id, label: triggerText(id) }))}
          value={trigger as (typeof triggers)[number]}
          onChange={choose}
        />
        {trigger === 'no_reply' && (
          <>
            <Choice
              label={t('workflows.reply_from')}
              options={[
                { id: 'business', label: t('workflows.reply_from_business') },
                { id: 'customer', label: t('workflows.reply_from_customer') },
              ]}
              value={reply_from ?? 'business'}
              onChange={(from) => change({ reply_from: from })}
            />
            <Field
              label={t('workflows.after')}
              hint={t('workflows.time_hint')}
              name="after"
              ltr
              value={after ?? ''}
              onChange={(time) => change({ after: time })}
            />
          </>
        )}
        {trigger === 'api_call' && <Notice>{t('workflows.api_hint')}</Notice>}
        <ConditionsFields
          label={t('workflows.when')}
          conditions={when}
          onChange={(conditions) => change({ when: conditions })}
        />
        <Choice
          label={t('workflows.control')}
          options={[
            { id: 'bot', label: t('workflows.control_bot') },
            { id: 'human', label: t('workflows.control_human') },
          ]}
          value={control}
          onChange={(id) => change({ control: id })}
        />
      </Form>
    </Dialog>
  );
}
