import type { WorkflowDryRun } from '@majlis/console-api';
import type { Contact } from '@majlis/contract';
import { useState } from 'react';
import { Failure, request, sentenceOf } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Notice } from '../parts/notice.tsx';
import { Section } from '../parts/page.tsx';
import { t } from '../words/words.ts';
import { type Definition, listSteps } from './definition.ts';
import { DryRunPath } from './dry-run-path.tsx';
import { contactName, FindContact } from './find-contact.tsx';
import { isolate } from './step-words.ts';
import { TriggerFields, type TriggerValues } from './trigger-fields.tsx';
import styles from './workflows.module.css';

interface Props {
  workspace_id: string;
  workflow_id: string;
  definition: Definition;
  /** Whether the definition has changes that are not saved. */
  isDraft: boolean;
}

/** The path that a run would take for a contact: the service follows it with its own rules, and keeps nothing of it. */
export function DryRunView({ workspace_id, workflow_id, definition, isDraft }: Props) {
  const [contact, setContact] = useState<Contact>();
  const [trigger, setTrigger] = useState<TriggerValues>({});
  const [calls, setCalls] = useState<'answered' | 'failed'>('answered');
  const [answers, setAnswers] = useState<(string | null)[]>([]);
  const [result, setResult] = useState<WorkflowDryRun>();
  const [problem, setProblem] = useState<string>();
  const [isPending, setPending] = useState(false);
  const hasCalls = listSteps(definition.steps ?? []).some(({ step }) => step.do === 'call');

  async function run(given: (string | null)[]) {
    setPending(true);
    setProblem(undefined);
    setAnswers(given);
    try {
      const body = { workflow_id, definition, contact_id: contact!.id, trigger, answers: given, calls };
      setResult(await request<WorkflowDryRun>('POST', `/workspaces/${workspace_id}/workflow-dry-runs`, body));
    } catch (error) {
      setResult(undefined);
      const isFaulty =
        error instanceof Failure && [...error.members.keys()].some((name) => name.startsWith('definition'));
      const isUnreachable = error instanceof Failure && error.code === 'unprocessable_content' && !isFaulty;
      setProblem(t(isFaulty ? 'workflows.dry_faulty' : 'workflows.dry_unreachable'));
      if (!isFaulty && !isUnreachable) setProblem(sentenceOf(error));
    } finally {
      setPending(false);
    }
  }
  return (
    <>
      <p className={styles.soft}>{t('workflows.dry_hint')}</p>
      {isDraft && <Notice>{t('workflows.dry_draft')}</Notice>}
      {contact ? (
        <div className={styles.group}>
          <div className={styles.bar}>
            <strong>{t('workflows.dry_for', { name: isolate(contactName(contact)) })}</strong>
            <Button
              look="quiet"
              onPress={() => {
                setContact(undefined);
                setResult(undefined);
              }}
            >
              {t('workflows.other_contact')}
            </Button>
          </div>
          <TriggerFields definition={definition} values={trigger} onChange={setTrigger} />
          {hasCalls && (
            <Choice
              label={t('workflows.calls')}
              options={[
                { id: 'answered', label: t('workflows.calls_answered') },
                { id: 'failed', label: t('workflows.calls_failed') },
              ]}
              value={calls}
              onChange={setCalls}
            />
          )}
          <div>
            <Button look="primary" isPending={isPending} onPress={() => void run([])}>
              {t('workflows.dry_start')}
            </Button>
          </div>
        </div>
      ) : (
        <FindContact workspace_id={workspace_id} onChoose={setContact} />
      )}
      {problem && <Notice kind="danger">{problem}</Notice>}
      {result && (
        <Section title={t('workflows.dry_result')}>
          <DryRunPath
            key={answers.length}
            definition={definition}
            result={result}
            onAnswer={(answer) => void run([...answers, answer])}
          />
        </Section>
      )}
    </>
  );
}
