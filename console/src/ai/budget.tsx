import type { AiState } from '@majlis/console-api';
import { useState } from 'react';
import { formatCount } from '../analytics/format.ts';
import { Failure, request } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { Section } from '../parts/page.tsx';
import { tell } from '../parts/toasts.ts';
import { t } from '../words/words.ts';
import styles from './ai.module.css';
import { aiChanged } from './ai-data.ts';
import { readCredits } from './read-credits.ts';

interface Props {
  workspace_id: string;
  budget: AiState['budget'];
}

/** What agents, drafts, summaries and knowledge spend together. */
export function Budget({ workspace_id, budget }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { monthly_credits: most, credits_used } = budget;
  const used = formatCount(credits_used);
  return (
    <Section title={t('ai.budget')}>
      <div className={styles.budget}>
        <div>
          <p>{most === null ? t('ai.budget_none', { used }) : t('ai.budget_of', { used, most: formatCount(most) })}</p>
          <p className={styles.soft}>{t('ai.budget_hint')}</p>
        </div>
        <Button onPress={() => setOpen(true)}>{t('ai.budget_change')}</Button>
      </div>
      {most !== null && (
        <progress
          className={styles.progress}
          max={Math.max(1, most)}
          value={Math.min(credits_used, most)}
          aria-label={t('ai.budget')}
        />
      )}
      {most !== null && credits_used >= most && <Notice kind="danger">{t('ai.budget_exhausted')}</Notice>}
      {isOpen && <BudgetDialog workspace_id={workspace_id} budget={budget} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function BudgetDialog({ workspace_id, budget, onClose }: Props & { onClose: () => void }) {
  const [expected] = useState(budget.monthly_credits);
  const [isStale, setStale] = useState(false);
  async function send(form: FormData) {
    try {
      const body = { monthly_credits: readCredits(form), expected };
      await request('PUT', `/workspaces/${workspace_id}/ai-budget`, body);
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
    <Dialog title={t('ai.budget_change')} onClose={onClose}>
      <Form place="dialog" submit={t('app.save')} send={send} onCancel={onClose}>
        {isStale && <Notice kind="danger">{t('ai.budget_stale')}</Notice>}
        <Field
          label={t('ai.budget_field')}
          hint={t('ai.budget_field_hint')}
          name="monthly_credits"
          inputMode="numeric"
          ltr
          autoFocus
          pattern="[0-9]*"
          maxLength={9}
          defaultValue={expected?.toString() ?? ''}
        />
      </Form>
    </Dialog>
  );
}
