import type { ExplainedCondition, WorkflowDryRun, WorkflowDryStep } from '@majlis/console-api';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';
import type { Definition, Step } from './definition.ts';
import { Flow, type StepMark } from './flow.tsx';
import { Reason } from './reason.tsx';
import { conditionText, detailOf, isolate, kindText, secondsText } from './step-words.ts';
import { wordFor } from './workflow-data.ts';
import styles from './workflows.module.css';

interface Props {
  definition: Definition;
  result: WorkflowDryRun;
  /** Null: the customer does not answer in time. */
  onAnswer: (answer: string | null) => void;
}

/** What a dry run came to: each step with its reason and its message, and the same path in the diagram. */
export function DryRunPath({ definition, result, onAnswer }: Props) {
  const { state, reason, conditions, hindrances, path } = result;
  const marks = new Map<string, StepMark[]>(
    path.map(({ step, outcome }, index) => [
      step,
      [
        {
          text: t('workflows.passed', { number: index + 1, outcome: outcomeText(outcome) }),
          ...(outcome === 'failed' && { isFault: true }),
        },
      ],
    ]),
  );
  return (
    <>
      <Notice kind={state === 'failed' || state === 'cancelled' ? 'danger' : 'info'}>
        {t(`workflows.dry_${state}`)}
        {reason && !path.some((step) => step.reason === reason) && <Reason text={reason} />}
      </Notice>
      {hindrances.map((one) => (
        <Notice key={one} kind="danger">
          {t(`workflows.hindrance_${one}`)}
        </Notice>
      ))}
      {conditions.length > 0 && (
        <div className={styles.group}>
          <strong>{t('workflows.when')}</strong>
          <Conditions conditions={conditions} />
        </div>
      )}
      {path.length > 0 && (
        <ol className={styles.path} aria-label={t('workflows.dry_path')} data-path>
          {path.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the path is read only.
            <PathStep key={index} step={step} />
          ))}
        </ol>
      )}
      {state === 'needs_answer' && <Answer onAnswer={onAnswer} />}
      {path.length > 0 && <Flow definition={definition} marks={marks} />}
    </>
  );
}

function PathStep({ step }: { step: WorkflowDryStep }) {
  const { do: kind, outcome, reason, values, cases, message, waits_seconds, answer } = step;
  const detail = message ? undefined : detailOf({ do: kind, ...values } as Step);
  return (
    <li>
      <strong>{kindText(kind)}</strong> <span className={styles.soft}>{outcomeText(outcome)}</span>
      {detail && kind !== 'wait' && (
        <p>
          <bdi>{detail}</bdi>
        </p>
      )}
      {message && (
        <p className={styles.bubble} dir="auto">
          {message.body ?? t('workflows.message_of_kind', { kind: isolate(message.kind) })}
        </p>
      )}
      {waits_seconds !== undefined && answer === undefined && (
        <p className={styles.soft}>{t('workflows.dry_waits', { time: secondsText(waits_seconds) })}</p>
      )}
      {answer !== undefined && (
        <p className={styles.soft}>
          {answer === null ? t('workflows.dry_no_answer') : t('workflows.dry_answer', { answer: isolate(answer) })}
        </p>
      )}
      {cases?.map((conditions, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a case is known by its place.
        <div key={index}>
          <p className={styles.soft}>{t('workflows.case', { number: index + 1 })}</p>
          <Conditions conditions={conditions} />
        </div>
      ))}
      {reason && <Reason text={reason} />}
    </li>
  );
}

function outcomeText(outcome: string): string {
  const number = /^case (\d+)$/.exec(outcome)?.[1];
  return number === undefined ? wordFor('outcome', outcome) : t('workflows.case', { number });
}

function Conditions({ conditions }: { conditions: readonly ExplainedCondition[] }) {
  if (conditions.length === 0) return <p className={styles.soft}>{t('workflows.always')}</p>;
  return (
    <ul className={styles.explained}>
      {conditions.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions are read only.
        <li key={index}>
          <OneCondition condition={condition} />
        </li>
      ))}
    </ul>
  );
}

function OneCondition({ condition }: { condition: ExplainedCondition }) {
  const { holds, comparison, met, any, all, not } = condition;
  const Icon = holds ? Check : X;
  return (
    <>
      <p>
        <Icon size={16} className={styles.verdict} data-holds={holds || undefined} aria-hidden />
        {t(holds ? 'workflows.holds' : 'workflows.holds_not')}
        {': '}
        {comparison && conditionText(comparison)}
        {any && t('workflows.any_of')}
        {all && t('workflows.all_of')}
        {not && t('workflows.not_this')}
      </p>
      {comparison && (
        <p className={styles.soft}>
          {met === null || met === '' ? t('workflows.met_nothing') : t('workflows.met', { value: isolate(met) })}
        </p>
      )}
      {(any || all || not) && <Conditions conditions={any ?? all ?? [not!]} />}
    </>
  );
}

function Answer({ onAnswer }: { onAnswer: Props['onAnswer'] }) {
  const [text, setText] = useState('');
  return (
    <form
      className={styles.group}
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(text);
      }}
    >
      <Field label={t('workflows.dry_answers')} value={text} onChange={setText} autoFocus />
      <div className={styles.bar}>
        <Button type="submit" look="primary">
          {t('workflows.dry_go_on')}
        </Button>
        <Button onPress={() => onAnswer(null)}>{t('workflows.dry_no_answer')}</Button>
      </div>
    </form>
  );
}
