import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { type Condition, isStepKind, type Step } from './definition.ts';

/** Text in either direction inside a sentence. */
export const isolate = (text: unknown) => isolated(typeof text === 'string' ? text : JSON.stringify(text));

export function kindText(kind: string): string {
  return isStepKind(kind) ? t(`workflows.do_${kind}`) : kind;
}

/** What a step does, in a line below its kind; undefined where the kind says it all. */
export function detailOf(step: Step): string | undefined {
  switch (step.do) {
    case 'send_message':
    case 'ask':
      return contentOf(step);
    case 'send_template':
      return joined(step.template, step.language);
    case 'wait':
      return step.for !== undefined ? durationText(String(step.for)) : optional(step.until);
    case 'set_tag':
    case 'clear_tag':
      return optional(step.tag);
    case 'set_stage':
      return step.stage === null ? t('workflows.no_stage') : optional(step.stage);
    case 'set_field':
      return t('workflows.field_becomes', {
        field: isolate(step.field ?? ''),
        value: step.value === null ? t('workflows.nothing') : isolate(step.value ?? ''),
      });
    case 'assign':
      if (step.round_robin) return t('workflows.assign_next');
      return joined(step.user, step.team) ?? t('workflows.assign_nobody');
    case 'hand_over':
      return step.to === 'ai_agent' ? optional(step.agent) : t('workflows.to_people');
    case 'close':
      return joined(step.category, step.summary);
    case 'add_note':
      return optional(step.text);
    case 'call':
      return optional(step.url);
    case 'start_workflow':
      return optional(step.workflow);
    default:
      return undefined;
  }
}

function contentOf({ text, message }: Step): string {
  if (text !== undefined) return String(text);
  const { kind, body } = (message ?? {}) as { kind?: string; body?: string };
  return body ?? t('workflows.message_of_kind', { kind: isolate(kind ?? '') });
}

const optional = (value: unknown) => (value === undefined || value === null ? undefined : String(value));

function joined(...values: unknown[]): string | undefined {
  const given = values.filter((value) => value !== undefined && value !== null && value !== '');
  return given.length === 0 ? undefined : given.map(isolate).join(' · ');
}

const units = { s: 'second', m: 'minute', h: 'hour', d: 'day' } as const;

/** `2 hours` for `2h`; what is no time stays as it is. */
export function durationText(text: string): string {
  const match = /^(\d+) ?([smhd])$/.exec(text);
  if (!match) return text;
  return t(`workflows.${units[match[2] as keyof typeof units]}s`, { count: Number(match[1]) });
}

export function secondsText(seconds: number): string {
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
  ] as const) {
    if (seconds >= size && seconds % size === 0) return durationText(`${seconds / size}${unit}`);
  }
  return durationText(`${seconds}s`);
}

export const operators = [
  'equals',
  'not_equals',
  'contains',
  'starts_with',
  'one_of',
  'greater_than',
  'less_than',
  'exists',
] as const;
export type Operator = (typeof operators)[number];

export function operatorOf(condition: Condition): Operator | undefined {
  return operators.find((operator) => condition[operator] !== undefined);
}

/** A condition as a sentence. */
export function conditionText(condition: Condition): string {
  const { any, all, not } = condition as { any?: Condition[]; all?: Condition[]; not?: Condition };
  if (Array.isArray(any)) return `(${any.map(conditionText).join(` ${t('workflows.or')} `)})`;
  if (Array.isArray(all)) return `(${all.map(conditionText).join(` ${t('workflows.and')} `)})`;
  if (not) return t('workflows.not', { condition: conditionText(not) });
  const parts = operators.flatMap((operator) => {
    const operand = condition[operator];
    if (operand === undefined) return [];
    if (operator === 'exists') return [t(operand ? 'workflows.op_exists' : 'workflows.op_exists_not')];
    const shown = Array.isArray(operand) ? operand.map(isolate).join(t('workflows.comma')) : isolate(operand);
    return [`${t(`workflows.op_${operator}`)} ${shown}`];
  });
  return `${isolate(variableText(String(condition.value ?? '')))} ${parts.join(` ${t('workflows.and')} `)}`;
}

/** A variable alone without its braces. */
export function variableText(text: string): string {
  return /^\{\{\s*([^{}]+?)\s*\}\}$/.exec(text)?.[1] ?? text;
}

export function conditionsText(conditions: readonly Condition[]): string {
  return conditions.length === 0
    ? t('workflows.always')
    : conditions.map(conditionText).join(` ${t('workflows.and')} `);
}
