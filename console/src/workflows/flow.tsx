import {
  CircleHelp,
  CircleStop,
  Clock,
  FileText,
  GitBranch,
  Globe,
  Hand,
  ListTree,
  MessageSquare,
  NotebookPen,
  PenLine,
  Tag,
  UserRoundCheck,
  Workflow,
  X,
  Zap,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../parts/badge.tsx';
import { t } from '../words/words.ts';
import { type Definition, type NestedList, nestedLists, type Step, type StepKind } from './definition.ts';
import styles from './flow.module.css';
import { conditionsText, detailOf, durationText, kindText } from './step-words.ts';
import { triggerText } from './workflow-data.ts';

const icons: Record<StepKind, typeof Clock> = {
  send_message: MessageSquare,
  send_template: FileText,
  ask: CircleHelp,
  wait: Clock,
  branch: GitBranch,
  set_tag: Tag,
  clear_tag: Tag,
  set_stage: ListTree,
  set_field: PenLine,
  assign: UserRoundCheck,
  hand_over: Hand,
  close: X,
  add_note: NotebookPen,
  call: Globe,
  start_workflow: Workflow,
  end: CircleStop,
};

/** What stands at a step besides its definition. */
export interface StepMark {
  text: string;
  isFault?: boolean;
}

/** What an editor adds to the diagram. */
export interface FlowEditing {
  /** Behind the text of a step. */
  actions: (pointer: string, step: Step) => ReactNode;
  /** Between the steps of a list, before the step with this index. */
  gap: (list: string, index: number) => ReactNode;
  onKeyDown: (event: React.KeyboardEvent, pointer: string) => void;
  /** Behind the text of the trigger. */
  trigger: ReactNode;
}

interface Props {
  definition: Definition;
  /** By the pointer of the step; that of the workflow itself is empty. */
  marks?: ReadonlyMap<string, readonly StepMark[]>;
  editing?: FlowEditing;
}

/** The definition as a diagram: steps below each other, branches beside each other. To a screen reader it is a list of lists. */
export function Flow({ definition, marks = new Map(), editing }: Props) {
  const { trigger, when = [], reply_from, after, control = 'bot', steps = [] } = definition;
  const shown = { marks, ...(editing && { editing }) };
  return (
    <div className={styles.flow} data-flow>
      <div className={styles.card} data-kind="trigger">
        <Zap size={18} className={styles.icon} aria-hidden />
        <div className={styles.text}>
          <strong>{triggerText(trigger)}</strong>
          {after && (
            <p>
              {t(reply_from === 'customer' ? 'workflows.after_business' : 'workflows.after_customer', {
                time: durationText(after),
              })}
            </p>
          )}
          {when.length > 0 && <p>{t('workflows.if', { conditions: conditionsText(when) })}</p>}
          <p>{t(control === 'human' ? 'workflows.control_human' : 'workflows.control_bot')}</p>
          <Marks marks={marks.get('')} />
        </div>
        {editing?.trigger}
      </div>
      <StepList steps={steps} list="/steps" label={t('workflows.steps')} {...shown} />
      <p className={styles.end}>
        <CircleStop size={16} aria-hidden />
        {t('workflows.flow_end')}
      </p>
    </div>
  );
}

interface Shown {
  marks: ReadonlyMap<string, readonly StepMark[]>;
  editing?: FlowEditing;
}

interface ListProps extends Shown {
  steps: readonly Step[];
  list: string;
  label: string;
}

function StepList({ steps, list, label, marks, editing }: ListProps) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {steps.map((step, index) => {
        const pointer = `${list}/${index}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place alone.
          <li key={index} className={styles.item}>
            {editing?.gap(list, index)}
            <StepCard step={step} pointer={pointer} marks={marks} {...(editing && { editing })} />
          </li>
        );
      })}
      {steps.length === 0 && !editing && <li className={styles.nothing}>{t('workflows.goes_on')}</li>}
      {editing && <li className={styles.item}>{editing.gap(list, steps.length)}</li>}
    </ol>
  );
}

interface CardProps extends Shown {
  step: Step;
  pointer: string;
}

function StepCard({ step, pointer, marks, editing }: CardProps) {
  const Icon = icons[step.do as StepKind] ?? CircleHelp;
  const detail = detailOf(step);
  const own = marks.get(pointer);
  const isFaulty = own?.some(({ isFault }) => isFault);
  const lists = nestedLists(step);
  return (
    <>
      <div
        className={styles.card}
        data-step={pointer}
        data-faulty={isFaulty || undefined}
        data-passed={(own && !isFaulty) || undefined}
        {...(editing && { onKeyDown: (event: React.KeyboardEvent) => editing.onKeyDown(event, pointer) })}
      >
        <Icon size={18} className={styles.icon} aria-hidden />
        <div className={styles.text}>
          <strong>{kindText(step.do)}</strong>
          {step.name && (
            <>
              {' '}
              <Badge>
                <bdi dir="ltr">{step.name}</bdi>
              </Badge>
            </>
          )}
          {detail && (
            <p className={styles.detail}>
              <bdi>{detail}</bdi>
            </p>
          )}
          <Reactions step={step} />
          <Marks marks={own} />
        </div>
        {editing?.actions(pointer, step)}
      </div>
      {lists.length > 0 && (
        <ul className={styles.branches} aria-label={t('workflows.branches')}>
          {lists.map((one) => (
            <li key={one.member} className={styles.branch}>
              <p className={styles.condition}>{labelOf(one)}</p>
              <StepList
                steps={one.steps}
                list={`${pointer}/${one.member}`}
                label={labelOf(one)}
                marks={marks}
                {...(editing && { editing })}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function labelOf({ kind, when = [] }: NestedList): string {
  return kind === 'case' ? t('workflows.if', { conditions: conditionsText(when) }) : t(`workflows.list_${kind}`);
}

/** What follows a question without an answer, or a failure, where that is no list of steps. */
function Reactions({ step }: { step: Step }) {
  const { on_timeout = 'end', on_refusal = 'end', on_error, within, approval_within } = step;
  const isContinuing = on_timeout === 'continue';
  return (
    <>
      {typeof approval_within === 'string' && (
        <p>
          {t('workflows.approval', { time: durationText(approval_within) })}
          {typeof on_refusal === 'string' &&
            ` ${t(on_refusal === 'continue' ? 'workflows.refusal_continue' : 'workflows.refusal_end')}`}
        </p>
      )}
      {step.do === 'ask' && typeof within === 'string' && (
        <p>
          {t('workflows.within', { time: durationText(within) })}
          {typeof on_timeout === 'string' &&
            ` ${t(isContinuing ? 'workflows.timeout_continue' : 'workflows.timeout_end')}`}
        </p>
      )}
      {on_error === 'continue' && <p>{t('workflows.error_continue')}</p>}
    </>
  );
}

function Marks({ marks }: { marks: readonly StepMark[] | undefined }) {
  return marks?.map(({ text, isFault = false }) => (
    <p key={text} className={styles.mark} data-fault={isFault || undefined}>
      {text}
    </p>
  ));
}
