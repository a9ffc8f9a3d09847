import type { WordId } from '../words/word-id.ts';
import type { Step, StepKind } from './definition.ts';

/** Names of the workspace from which a step takes one. */
export type NamesOf = 'stages' | 'users' | 'teams' | 'agents' | 'categories' | 'fields' | 'templates' | 'workflows';

/** A field of the form of a step. */
export interface StepField {
  member: string;
  /** `words`: a list of texts, each in a line. `json`: any value. */
  kind: 'line' | 'area' | 'time' | 'names' | 'choice' | 'words' | 'json';
  label: WordId;
  hint?: WordId;
  names?: NamesOf;
  /** Values of a choice with their words. */
  options?: readonly { id: string; label: WordId }[];
  /** May be left out; `null` stands for the empty choice where a step may clear something. */
  empty?: 'absent' | 'null';
  /** Left to right in both languages. */
  ltr?: boolean;
  isShown?: (step: Step) => boolean;
}

const text: StepField = {
  member: 'text',
  kind: 'area',
  label: 'workflows.field_text',
  hint: 'workflows.variables_hint',
  isShown: ({ message }) => message === undefined,
};
const message: StepField = {
  member: 'message',
  kind: 'json',
  label: 'workflows.field_message',
  hint: 'workflows.field_message_hint',
  isShown: (step) => step.message !== undefined,
};
const tag: StepField = { member: 'tag', kind: 'line', label: 'workflows.field_tag' };
const time = (member: string, label: WordId): StepField => ({
  member,
  kind: 'time',
  label,
  hint: 'workflows.time_hint',
  ltr: true,
});

/** The fields of a step that waits for a person's yes. */
export const approvalFields: readonly StepField[] = [
  time('approval_within', 'workflows.field_approval_within'),
  {
    member: 'on_refusal',
    kind: 'choice',
    label: 'workflows.field_on_refusal',
    options: [
      { id: 'end', label: 'workflows.ends' },
      { id: 'continue', label: 'workflows.continues' },
      { id: 'steps', label: 'workflows.own_steps' },
    ],
  },
];

/** The fields of each kind of step, besides its name, its approval and what follows a failure. */
export const stepFields: Record<StepKind, readonly StepField[]> = {
  send_message: [text, message],
  send_template: [
    { member: 'template', kind: 'names', names: 'templates', label: 'workflows.field_template' },
    { member: 'language', kind: 'line', label: 'workflows.field_language', ltr: true },
    {
      member: 'params',
      kind: 'words',
      label: 'workflows.field_params',
      hint: 'workflows.params_hint',
      empty: 'absent',
    },
    { member: 'header_media_id', kind: 'line', label: 'workflows.field_media', empty: 'absent', ltr: true },
  ],
  ask: [
    text,
    message,
    time('within', 'workflows.field_within'),
    {
      member: 'on_timeout',
      kind: 'choice',
      label: 'workflows.field_on_timeout',
      options: [
        { id: 'end', label: 'workflows.ends' },
        { id: 'continue', label: 'workflows.continues' },
        { id: 'steps', label: 'workflows.own_steps' },
      ],
    },
  ],
  wait: [
    { ...time('for', 'workflows.field_for'), isShown: ({ until }) => until === undefined },
    {
      member: 'until',
      kind: 'line',
      label: 'workflows.field_until',
      hint: 'workflows.until_hint',
      ltr: true,
      isShown: ({ until }) => until !== undefined,
    },
  ],
  branch: [],
  set_tag: [tag],
  clear_tag: [tag],
  set_stage: [
    { member: 'stage', kind: 'names', names: 'stages', label: 'workflows.field_stage', empty: 'null' },
    {
      member: 'of',
      kind: 'choice',
      label: 'workflows.field_of',
      options: [
        { id: 'conversation', label: 'workflows.of_conversation' },
        { id: 'contact', label: 'workflows.of_contact' },
      ],
    },
  ],
  set_field: [
    { member: 'field', kind: 'names', names: 'fields', label: 'workflows.field_field' },
    {
      member: 'value',
      kind: 'line',
      label: 'workflows.field_value',
      hint: 'workflows.value_hint',
      empty: 'null',
    },
  ],
  assign: [
    {
      member: 'user',
      kind: 'names',
      names: 'users',
      label: 'workflows.field_user',
      empty: 'absent',
      isShown: ({ round_robin }) => !round_robin,
    },
    {
      member: 'team',
      kind: 'names',
      names: 'teams',
      label: 'workflows.field_team',
      empty: 'absent',
      isShown: ({ round_robin }) => !round_robin,
    },
  ],
  hand_over: [
    {
      member: 'to',
      kind: 'choice',
      label: 'workflows.field_to',
      options: [
        { id: 'human', label: 'workflows.to_people' },
        { id: 'ai_agent', label: 'workflows.to_agent' },
      ],
    },
    {
      member: 'agent',
      kind: 'names',
      names: 'agents',
      label: 'workflows.field_agent',
      isShown: ({ to }) => to === 'ai_agent',
    },
  ],
  close: [
    { member: 'category', kind: 'names', names: 'categories', label: 'workflows.field_category', empty: 'absent' },
    { member: 'summary', kind: 'area', label: 'workflows.field_summary', empty: 'absent' },
  ],
  add_note: [{ member: 'text', kind: 'area', label: 'workflows.field_note', hint: 'workflows.variables_hint' }],
  call: [
    { member: 'url', kind: 'line', label: 'workflows.field_url', hint: 'workflows.url_hint', ltr: true },
    {
      member: 'headers',
      kind: 'json',
      label: 'workflows.field_headers',
      hint: 'workflows.headers_hint',
      empty: 'absent',
    },
    { member: 'body', kind: 'json', label: 'workflows.field_body', empty: 'absent' },
  ],
  start_workflow: [
    { member: 'workflow', kind: 'names', names: 'workflows', label: 'workflows.field_workflow' },
    { member: 'variables', kind: 'json', label: 'workflows.field_variables', empty: 'absent' },
  ],
  end: [],
};

/** A step of a kind to begin with. */
export function newStep(kind: StepKind): Step {
  switch (kind) {
    case 'send_message':
    case 'add_note':
      return { do: kind, text: '' };
    case 'send_template':
      return { do: kind, template: '', language: 'en' };
    case 'ask':
      return { do: kind, text: '', within: '1h' };
    case 'wait':
      return { do: kind, for: '1h' };
    case 'branch':
      return { do: kind, cases: [{ when: [{ value: '{{contact.language}}', equals: 'ar' }], steps: [] }], else: [] };
    case 'set_tag':
    case 'clear_tag':
      return { do: kind, tag: '' };
    case 'set_stage':
      return { do: kind, stage: null };
    case 'set_field':
      return { do: kind, field: '', value: '' };
    case 'assign':
      return { do: kind, round_robin: true };
    case 'hand_over':
      return { do: kind, to: 'human' };
    case 'call':
      return { do: kind, url: 'https://' };
    case 'start_workflow':
      return { do: kind, workflow: '' };
    default:
      return { do: kind };
  }
}
