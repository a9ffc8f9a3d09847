import { type Static, Type } from 'typebox';
import { examples } from './examples.ts';
import { anyObject, ChannelType, dateTime, oneOf, text } from './fields.ts';
import { defineOperation } from './operation.ts';
import { list } from './page.ts';

export const WorkflowStatus = oneOf(['published', 'paused', 'draft'], 'Only a `published` workflow starts.');
export type WorkflowStatus = Static<typeof WorkflowStatus>;

export const Workflow = Type.Object(
  {
    id: text(),
    name: text(),
    status: WorkflowStatus,
    trigger: text('The name of the trigger.'),
    updated_at: dateTime('When the workflow or its status last changed.'),
  },
  { title: 'Workflow' },
);
export type Workflow = Static<typeof Workflow>;

export const WorkflowRunStart = Type.Object(
  {
    contact: Type.Object(
      {
        id: Type.Optional(text('An existing contact.')),
        contact_id: Type.Optional(text('An existing contact; the same as `id`.')),
        channel_type: Type.Optional(ChannelType),
        identifier: Type.Optional(text('With `channel_type`: the identity of a contact to find or create.')),
      },
      { description: 'The contact to run for: by its id, or by an identity.' },
    ),
    variables: Type.Optional(anyObject('Values that steps read as `{{trigger.variables.<name>}}`.')),
  },
  { title: 'WorkflowRunStart' },
);
export type WorkflowRunStart = Static<typeof WorkflowRunStart>;

export const WorkflowRun = Type.Object(
  { run_id: text(), status: text('`running` when it has just started.') },
  { title: 'WorkflowRun' },
);
export type WorkflowRun = Static<typeof WorkflowRun>;

const workflowParams = Type.Object({ workflow_id: text('The workflow.') });
const exampleParams = { workflow_id: examples.ids.workflow };

export const workflowOperations = {
  listWorkflows: defineOperation({
    id: 'listWorkflows',
    method: 'GET',
    path: '/v1/workflows',
    label: 'Available',
    summary: 'List the workflows',
    description: 'All workflows of the workspace.',
    idempotent: false,
    reply: { status: 200, body: list('WorkflowList', Workflow) },
    refusals: [],
    example: { reply: { data: [examples.workflow] } },
  }),

  setWorkflowStatus: defineOperation({
    id: 'setWorkflowStatus',
    method: 'POST',
    path: '/v1/workflows/{workflow_id}/status',
    label: 'Available',
    summary: 'Set the status of a workflow',
    description: 'Publishes the workflow, pauses it, or makes it a draft.',
    idempotent: false,
    scope_with: { member: 'status', is: 'published', scope: 'messages:write' },
    params: workflowParams,
    body: Type.Object({ status: WorkflowStatus }, { title: 'WorkflowStatusChange' }),
    reply: { status: 200, body: Workflow },
    refusals: ['insufficient_scope', 'not_found', 'unprocessable_content'],
    example: {
      params: exampleParams,
      body: { status: 'published' },
      reply: examples.workflow,
    },
  }),

  startWorkflowRun: defineOperation({
    id: 'startWorkflowRun',
    method: 'POST',
    path: '/v1/workflows/{workflow_id}/runs',
    label: 'Coming soon',
    summary: 'Start a workflow for a contact',
    description: 'Starts a workflow whose trigger is an API call, for one contact. Finds or creates the contact.',
    idempotent: true,
    scope: 'messages:write',
    params: workflowParams,
    body: WorkflowRunStart,
    reply: { status: 202, body: WorkflowRun },
    refusals: ['insufficient_scope', 'not_found', 'idempotency_conflict', 'unprocessable_content'],
    example: {
      params: exampleParams,
      body: {
        contact: { channel_type: 'chatapp', identifier: '+96891234567' },
        variables: { order_number: 'A-1042' },
      },
      reply: { run_id: examples.ids.workflow_run, status: 'running' },
    },
  }),
};
