import { type Static, Type } from 'typebox';
import { triggers } from '../../automation/record-happenings.ts';

// What an operator writes down. Lists of steps inside a step are read one by one, so that a fault names its step.
const text = () => Type.String({ minLength: 1 });
const optional = () => Type.Optional(Type.String({ minLength: 1 }));
const steps = () => Type.Optional(Type.Unknown());
const duration = () => Type.String({ pattern: '^[1-9][0-9]{0,6} ?[smhd]$' });
const scalar = () => Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] });
const nullable = () => Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1 });

/** What every step may have. */
const common = {
  name: Type.Optional(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' })),
  /** When it cannot be performed: `fail` (ends the run), `continue`, or steps. */
  on_error: steps(),
};

function step<const Do extends string, Members extends Parameters<typeof Type.Object>[0]>(name: Do, members: Members) {
  return Type.Object({ do: Type.Literal(name), ...common, ...members }, { additionalProperties: false });
}

const Message = Type.Unsafe<Record<string, unknown>>({ type: 'object' });

export const stepSchemas = {
  send_message: step('send_message', { text: optional(), message: Type.Optional(Message) }),
  send_template: step('send_template', {
    template: text(),
    language: text(),
    params: Type.Optional(Type.Array(scalar())),
    header_media_id: optional(),
  }),
  ask: step('ask', { text: optional(), message: Type.Optional(Message), within: duration(), on_timeout: steps() }),
  wait: step('wait', { for: Type.Optional(duration()), until: optional() }),
  branch: step('branch', { cases: Type.Array(Type.Unknown(), { minItems: 1 }), else: steps() }),
  set_tag: step('set_tag', { tag: text() }),
  clear_tag: step('clear_tag', { tag: text() }),
  set_stage: step('set_stage', { stage: nullable(), of: Type.Optional(Type.Enum(['conversation', 'contact'])) }),
  set_field: step('set_field', {
    field: text(),
    value: Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] }),
  }),
  assign: step('assign', {
    user: Type.Optional(nullable()),
    team: Type.Optional(nullable()),
    round_robin: Type.Optional(Type.Literal(true)),
  }),
  hand_over: step('hand_over', { to: Type.Enum(['human', 'ai_agent']), agent: optional() }),
  close: step('close', { category: optional(), summary: optional() }),
  add_note: step('add_note', { text: text() }),
  call: step('call', {
    url: text(),
    headers: Type.Optional(Type.Record(Type.String({ minLength: 1 }), Type.String())),
    body: Type.Optional(Type.Unknown()),
  }),
  start_workflow: step('start_workflow', {
    workflow: text(),
    variables: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
  }),
  end: step('end', {}),
} as const;

export type StepKind = keyof typeof stepSchemas;
export type StepOf<Kind extends StepKind> = Static<(typeof stepSchemas)[Kind]>;
export type Step = { [Kind in StepKind]: StepOf<Kind> }[StepKind];

const operand = {
  equals: Type.Optional(scalar()),
  not_equals: Type.Optional(scalar()),
  contains: Type.Optional(Type.Unsafe<string | string[]>({ type: ['string', 'array'], items: { type: 'string' } })),
  starts_with: Type.Optional(Type.String()),
  one_of: Type.Optional(Type.Array(scalar())),
  exists: Type.Optional(Type.Boolean()),
  greater_than: Type.Optional(Type.Number()),
  less_than: Type.Optional(Type.Number()),
};
export const operators = Object.keys(operand) as (keyof typeof operand)[];

export const Comparison = Type.Object({ value: text(), ...operand }, { additionalProperties: false });
export type Comparison = Static<typeof Comparison>;
export type Condition = Comparison | { any: Condition[] } | { all: Condition[] } | { not: Condition };

export const Head = Type.Object(
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
export type Head = Static<typeof Head>;

/** One step of a program, and where it leads: the places of other steps, null for the end. */
export interface Instruction {
  step: Step;
  /** A JSON pointer from the root of the workflow. */
  pointer: string;
  next: Place;
  /** Whether anything in it reads the contact or the conversation. */
  reads_contact: boolean;
  reads_conversation: boolean;
  cases?: { when: Condition[]; to: Place }[];
  otherwise?: Place;
  on_timeout?: Place;
  /** `fail`: the run ends with it. */
  on_error: Place | 'fail';
}
export type Place = number | null;

/** A definition in the form in which it runs: all steps in one list. */
export interface Program {
  trigger: Head['trigger'];
  waits_for?: string;
  after_seconds?: number;
  control: 'bot' | 'human';
  when: Condition[];
  instructions: Instruction[];
  start: Place;
}
