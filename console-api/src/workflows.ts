import { WorkflowStatus } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { dateTime, inWorkspace, page, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

const anObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
const definition = anObject(
  'As in the workspace file, without name and status. Stored values of headers stand as `[secret 3.1]`: send the mark to keep one.',
);
const version = (description: string) => Type.Integer({ minimum: 0, maximum: 2_147_483_647, description });
const Saver = Type.Object({ user_id: text(), name: text() });

export const WorkflowState = Type.Object({
  id: text(),
  name: text(),
  status: WorkflowStatus,
  trigger: text(),
  version: version('Of the definition. Zero: it has none yet.'),
  updated_at: dateTime('When the definition or the status last changed.'),
  saved_at: Type.Optional(dateTime('When the version was saved.')),
  saved_by: Type.Optional(Saver),
  running_count: Type.Integer({ description: 'Runs under way; 1,000 for as many or more.' }),
});
export type WorkflowState = Static<typeof WorkflowState>;

export const WorkflowDetail = Type.Object({ workflow: WorkflowState, definition });
export type WorkflowDetail = Static<typeof WorkflowDetail>;

export const WorkflowVersion = Type.Object({
  version: version('Runs that began with it go on with it.'),
  saved_at: dateTime(),
  saved_by: Type.Optional(
    Type.Object({ user_id: text(), name: text() }, { description: 'Absent: the workspace file.' }),
  ),
  restored_from: Type.Optional(version('The earlier version that it repeats.')),
  running_count: Type.Integer({ description: 'Runs of it under way; 1,000 for as many or more.' }),
});
export type WorkflowVersion = Static<typeof WorkflowVersion>;

export const DefinitionFault = Type.Object({ pointer: text('A JSON pointer into the definition.'), detail: text() });
export type DefinitionFault = Static<typeof DefinitionFault>;

/** A condition with the value that it met, or `any`, `all` or `not` of others. */
export interface ExplainedCondition {
  holds: boolean;
  comparison?: Record<string, unknown>;
  met?: unknown;
  any?: ExplainedCondition[];
  all?: ExplainedCondition[];
  not?: ExplainedCondition;
}
const conditions = Type.Array(
  Type.Unsafe<ExplainedCondition>({
    type: 'object',
    additionalProperties: true,
    description: '`holds`, with `comparison` and the value `met`, or with `any`, `all` or `not`.',
  }),
);

const nullableText = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });

export const WorkflowDryStep = Type.Object({
  step: text('A JSON pointer into the definition.'),
  do: text(),
  name: Type.Optional(text()),
  outcome: text(),
  reason: Type.Optional(text('Why the step would fail.')),
  values: anObject('The members of the step with the values of their variables.'),
  cases: Type.Optional(
    Type.Array(conditions, { description: 'Of a branch: the conditions of its cases, up to the one that holds.' }),
  ),
  message: Type.Optional(Type.Object({ kind: text(), body: nullableText('As the customer would read it.') })),
  waits_seconds: Type.Optional(Type.Integer()),
  answer: Type.Optional(nullableText('Null: no answer in time.')),
});
export type WorkflowDryStep = Static<typeof WorkflowDryStep>;

export const WorkflowDryRun = Type.Object({
  state: Type.Enum(['not_started', 'completed', 'failed', 'cancelled', 'needs_answer', 'too_many_steps'], {
    type: 'string',
  }),
  reason: Type.Optional(text()),
  conditions,
  hindrances: Type.Array(Type.Enum(['blocked', 'already_running', 'bot_in_control'], { type: 'string' })),
  path: Type.Array(WorkflowDryStep),
});
export type WorkflowDryRun = Static<typeof WorkflowDryRun>;

export const workflowRunStatuses = ['running', 'completed', 'failed', 'cancelled'] as const;
const runStatus = Type.Enum([...workflowRunStatuses], { type: 'string' });

export const WorkflowRunState = Type.Object({
  id: text(),
  version: version('With which it began.'),
  contact: Type.Object({ id: text(), name: Type.Optional(text()) }),
  conversation_id: Type.Optional(text()),
  status: runStatus,
  reason: Type.Optional(text()),
  step: Type.Optional(text('A JSON pointer to the step where it stands or ended.')),
  waits_for: Type.Optional(Type.Enum(['answer', 'time', 'publication', 'approval'], { type: 'string' })),
  due_at: Type.Optional(dateTime('When the wait ends.')),
  started_at: dateTime(),
  ended_at: Type.Optional(dateTime()),
});
export type WorkflowRunState = Static<typeof WorkflowRunState>;

export const WorkflowRunDetail = Type.Object({
  run: WorkflowRunState,
  steps: Type.Array(
    Type.Object({
      step: text(),
      do: text(),
      name: Type.Optional(text()),
      outcome: text(),
      reason: Type.Optional(text()),
      at: dateTime(),
    }),
  ),
});
export type WorkflowRunDetail = Static<typeof WorkflowRunDetail>;

const name = Type.String({ minLength: 1, maxLength: 255, description: 'By which files and other workflows find it.' });
const expected = version('The version that the person has seen.');
const ofWorkflow = Type.Object({ workspace_id: text(), workflow_id: text() });
const ofVersion = Type.Object({ workspace_id: text(), workflow_id: text(), version: text() });
const ofRun = Type.Object({ workspace_id: text(), run_id: text() });
const paging = { cursor: Type.Optional(text()), limit: Type.Optional(Type.Integer({ minimum: 1 })) };
const below = '/console/v1/workspaces/{workspace_id}';

export const workflowOperations = {
  listWorkflowStates: defineConsoleOperation({
    id: 'listWorkflowStates',
    method: 'GET',
    path: `${below}/workflow-states`,
    audience: 'admin',
    summary: 'List the workflows with their last change and their runs under way',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: Type.Object({ data: Type.Array(WorkflowState) }) },
    refusals: [],
  }),
  createWorkflow: defineConsoleOperation({
    id: 'createWorkflow',
    method: 'POST',
    path: `${below}/workflows`,
    audience: 'admin',
    summary: 'Make a workflow as a draft',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({ name, definition }),
    reply: { status: 201, body: WorkflowDetail },
    refusals: ['limit_reached', 'unprocessable_content'],
  }),
  getWorkflow: defineConsoleOperation({
    id: 'getWorkflow',
    method: 'GET',
    path: `${below}/workflows/{workflow_id}`,
    audience: 'admin',
    summary: 'Read a workflow with its definition',
    idempotent: false,
    params: ofWorkflow,
    reply: { status: 200, body: WorkflowDetail },
    refusals: ['not_found'],
  }),
  saveWorkflow: defineConsoleOperation({
    id: 'saveWorkflow',
    method: 'PUT',
    path: `${below}/workflows/{workflow_id}/definition`,
    audience: 'admin',
    summary: 'Save a definition as a new version, unless somebody saved another one meanwhile',
    idempotent: false,
    params: ofWorkflow,
    body: Type.Object({ version: expected, definition }),
    reply: { status: 200, body: WorkflowDetail },
    refusals: ['not_found', 'changed_meanwhile', 'limit_reached', 'unprocessable_content'],
  }),
  switchWorkflow: defineConsoleOperation({
    id: 'switchWorkflow',
    method: 'PATCH',
    path: `${below}/workflows/{workflow_id}`,
    audience: 'admin',
    summary: 'Publish or pause a workflow or make it a draft, unless somebody changed it meanwhile',
    idempotent: false,
    params: ofWorkflow,
    body: Type.Object({ version: expected, expected_status: WorkflowStatus, status: WorkflowStatus }),
    reply: { status: 200, body: WorkflowDetail },
    refusals: ['not_found', 'changed_meanwhile', 'unprocessable_content'],
  }),
  listWorkflowVersions: defineConsoleOperation({
    id: 'listWorkflowVersions',
    method: 'GET',
    path: `${below}/workflows/{workflow_id}/versions`,
    audience: 'admin',
    summary: 'List the versions of a workflow, the latest first',
    idempotent: false,
    params: ofWorkflow,
    query: Type.Object(paging),
    reply: { status: 200, body: page(WorkflowVersion) },
    refusals: ['not_found', 'unprocessable_content'],
  }),
  getWorkflowVersion: defineConsoleOperation({
    id: 'getWorkflowVersion',
    method: 'GET',
    path: `${below}/workflows/{workflow_id}/versions/{version}`,
    audience: 'admin',
    summary: 'Read a version of a workflow with its definition',
    idempotent: false,
    params: ofVersion,
    reply: { status: 200, body: Type.Object({ version: WorkflowVersion, definition }) },
    refusals: ['not_found'],
  }),
  restoreWorkflowVersion: defineConsoleOperation({
    id: 'restoreWorkflowVersion',
    method: 'POST',
    path: `${below}/workflows/{workflow_id}/versions/{version}/restore`,
    audience: 'admin',
    summary: 'Save the definition of an earlier version as a new one',
    idempotent: false,
    params: ofVersion,
    body: Type.Object({ version: expected }),
    reply: { status: 200, body: WorkflowDetail },
    refusals: ['not_found', 'changed_meanwhile', 'limit_reached', 'unprocessable_content'],
  }),
  checkWorkflow: defineConsoleOperation({
    id: 'checkWorkflow',
    method: 'POST',
    path: `${below}/workflow-checks`,
    audience: 'admin',
    summary: 'Find the faults of a definition without saving it',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({ workflow_id: Type.Optional(text()), definition }),
    reply: { status: 200, body: Type.Object({ faults: Type.Array(DefinitionFault) }) },
    refusals: ['not_found'],
  }),
  dryRunWorkflow: defineConsoleOperation({
    id: 'dryRunWorkflow',
    method: 'POST',
    path: `${below}/workflow-dry-runs`,
    audience: 'admin',
    summary: 'Follow the path of a run for a contact; nothing is sent or stored, and no call is made',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({
      workflow_id: Type.Optional(text()),
      definition,
      contact_id: text(),
      trigger: Type.Optional(
        Type.Object({
          message: Type.Optional(Type.String({ bound: 'long' })),
          variables: Type.Optional(anObject('Read as `{{trigger.variables.<name>}}`.')),
          tag: Type.Optional(text()),
          stage: Type.Optional(text()),
          previous_stage: Type.Optional(text()),
          of: Type.Optional(Type.Enum(['contact', 'conversation'], { type: 'string' })),
          started_by: Type.Optional(Type.Enum(['customer', 'business'], { type: 'string' })),
        }),
      ),
      answers: Type.Optional(
        Type.Array(
          Type.Unsafe<string | null>({
            type: ['string', 'null'],
            maxLength: 4_096,
            description: 'Null: none in time.',
          }),
          { maxItems: 100, description: 'To the questions, in their order.' },
        ),
      ),
      calls: Type.Optional(Type.Enum(['answered', 'failed'], { type: 'string' })),
    }),
    reply: { status: 200, body: WorkflowDryRun },
    refusals: ['not_found', 'unprocessable_content'],
  }),
  listWorkflowRuns: defineConsoleOperation({
    id: 'listWorkflowRuns',
    method: 'GET',
    path: `${below}/workflows/{workflow_id}/runs`,
    audience: 'admin',
    summary: 'List the runs of a workflow with the step where each stands, the latest first',
    idempotent: false,
    params: ofWorkflow,
    query: Type.Object({ status: Type.Optional(runStatus), ...paging }),
    reply: { status: 200, body: page(WorkflowRunState) },
    refusals: ['not_found', 'unprocessable_content'],
  }),
  getWorkflowRun: defineConsoleOperation({
    id: 'getWorkflowRun',
    method: 'GET',
    path: `${below}/workflow-runs/{run_id}`,
    audience: 'admin',
    summary: 'Read a run with its steps',
    idempotent: false,
    params: ofRun,
    reply: { status: 200, body: WorkflowRunDetail },
    refusals: ['not_found'],
  }),
  cancelWorkflowRun: defineConsoleOperation({
    id: 'cancelWorkflowRun',
    method: 'POST',
    path: `${below}/workflow-runs/{run_id}/cancel`,
    audience: 'admin',
    summary: 'End a run under way; people control its conversation again',
    idempotent: false,
    params: ofRun,
    reply: { status: 200, body: WorkflowRunState },
    refusals: ['not_found', 'changed_meanwhile'],
  }),
};
