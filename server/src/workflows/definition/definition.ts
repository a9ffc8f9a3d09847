import type { ProposedAction } from '@majlis/console-api';
import { mapOf } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { triggers } from '../../automation/trigger-workflows.ts';

// The schemas of a workflow file. The reader checks nested steps one by one, so that a fault names its step.
const text = () => Type.String({ minLength: 1 });
const optionalText = () => Type.Optional(Type.String({ minLength: 1 }));
const steps = () => Type.Optional(Type.Unknown());
const duration = () => Type.String({ pattern: '^[1-9][0-9]{0,6} ?[smhd]$' });
const scalarValue = () => Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] });
const nullableText = () => Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1 });

/** Members of a step that may wait for a person's yes. */
const approvalMembers = {
  /** The step is proposed, and performed once a person accepts it within this time. */
  approval_within: Type.Optional(duration()),
  /** After a no, and after the time: `end` (the default), `continue`, or steps. */
  on_refusal: steps(),
};

/** Members of every step. */
const commonMembers = {
  name: Type.Optional(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' })),
  /** After a failed step: `fail` (ends the run), `continue`, or steps. */
  on_error: steps(),
};

function stepSchema<const Do extends string, Members extends Parameters<typeof Type.Object>[0]>(
  name: Do,
  members: Members,
) {
  return Type.Object({ do: Type.Literal(name), ...commonMembers, ...members }, { additionalProperties: false });
}

const Message = Type.Unsafe<Record<string, unknown>>({ type: 'object' });

export const stepSchemas = {
  send_message: stepSchema('send_message', {
    ...approvalMembers,
    text: optionalText(),
    message: Type.Optional(Message),
  }),
  send_template: stepSchema('send_template', {
    ...approvalMembers,
    template: text(),
    language: text(),
    params: Type.Optional(Type.Array(scalarValue())),
    header_media_id: optionalText(),
  }),
  ask: stepSchema('ask', {
    ...approvalMembers,
    text: optionalText(),
    message: Type.Optional(Message),
    within: duration(),
    on_timeout: steps(),
  }),
  wait: stepSchema('wait', { for: Type.Optional(duration()), until: optionalText() }),
  branch: stepSchema('branch', { cases: Type.Array(Type.Unknown(), { minItems: 1 }), else: steps() }),
  set_tag: stepSchema('set_tag', { ...approvalMembers, tag: text() }),
  clear_tag: stepSchema('clear_tag', { ...approvalMembers, tag: text() }),
  set_stage: stepSchema('set_stage', {
    ...approvalMembers,
    stage: nullableText(),
    of: Type.Optional(Type.Enum(['conversation', 'contact'])),
  }),
  set_field: stepSchema('set_field', {
    field: text(),
    value: Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] }),
  }),
  assign: stepSchema('assign', {
    ...approvalMembers,
    user: Type.Optional(nullableText()),
    team: Type.Optional(nullableText()),
    round_robin: Type.Optional(Type.Literal(true)),
  }),
  hand_over: stepSchema('hand_over', { to: Type.Enum(['human', 'ai_agent']), agent: optionalText() }),
  close: stepSchema('close', { ...approvalMembers, category: optionalText(), summary: optionalText() }),
  add_note: stepSchema('add_note', { text: text() }),
  call: stepSchema('call', {
    url: text(),
    headers: Type.Optional(mapOf(Type.String())),
    body: Type.Optional(Type.Unknown()),
  }),
  start_workflow: stepSchema('start_workflow', {
    workflow: text(),
    variables: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
  }),
  end: stepSchema('end', {}),
} as const;

export type StepKind = keyof typeof stepSchemas;
export type StepOf<Kind extends StepKind> = Static<(typeof stepSchemas)[Kind]>;
export type WorkflowStep = { [Kind in StepKind]: StepOf<Kind> }[StepKind];
/** A step that may wait for a person's yes. */
export type ProposableStep = Extract<WorkflowStep, { do: ProposedAction }>;

export function isProposable(step: WorkflowStep): step is ProposableStep {
  return 'approval_within' in step;
}

const comparisonOperators = {
  equals: Type.Optional(scalarValue()),
  not_equals: Type.Optional(scalarValue()),
  contains: Type.Optional(Type.Unsafe<string | string[]>({ type: ['string', 'array'], items: { type: 'string' } })),
  starts_with: Type.Optional(Type.String()),
  one_of: Type.Optional(Type.Array(scalarValue())),
  exists: Type.Optional(Type.Boolean()),
  greater_than: Type.Optional(Type.Number()),
  less_than: Type.Optional(Type.Number()),
};
export const operators = Object.keys(comparisonOperators) as (keyof typeof comparisonOperators)[];

export const Comparison = Type.Object({ value: text(), ...comparisonOperators }, { additionalProperties: false });
export type Comparison = Static<typeof Comparison>;
export type Condition = Comparison | { any: Condition[] } | { all: Condition[] } | { not: Condition };

export const DefinitionHead = Type.Object(
  {
    trigger: Type.Enum([...triggers]),
    when: Type.Optional(Type.Unknown()),
    reply_from: Type.Optional(Type.Enum(['business', 'customer'])),
    after: Type.Optional(duration()),
    control: Type.Optional(Type.Enum(['bot', 'human'])),
    steps: steps(),
  },
  { additionalProperties: false },
);
export type DefinitionHead = Static<typeof DefinitionHead>;

/** One step of a program, with the indexes of the steps that may follow; null is the end. */
export interface Instruction {
  step: WorkflowStep;
  /** A JSON pointer from the root of the workflow. */
  pointer: string;
  next: InstructionIndex;
  /** Whether its variables read the contact. */
  reads_contact: boolean;
  /** Whether its variables read the conversation. */
  reads_conversation: boolean;
  cases?: { when: Condition[]; to: InstructionIndex }[];
  otherwise?: InstructionIndex;
  on_timeout?: InstructionIndex;
  /** After a no to what the step proposes. */
  on_refusal?: InstructionIndex;
  /** `fail` ends the run. */
  on_error: InstructionIndex | 'fail';
}
export type InstructionIndex = number | null;

/** The executable form of a definition: all steps in one list. */
export interface Program {
  trigger: DefinitionHead['trigger'];
  waits_for?: string;
  after_seconds?: number;
  control: 'bot' | 'human';
  when: Condition[];
  instructions: Instruction[];
  start: InstructionIndex;
}
