import { defineArea } from '../clause.ts';
import { findApprovedTemplate, findChatappChannel, findFixedTemplate } from '../conversation-fixtures.ts';
import { expectRefusal, expectSuccess, idempotencyHeaders, type Session } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

export const workspaceArea = defineArea('workspace', [
  [
    'channel',
    'GET /v1/channels/{channel_id}: a channel of the list.',
    async (session) => {
      const channel = await findChatappChannel(session);
      const { id, type } = await expectSuccess(session, 'getChannel', { params: { channel_id: channel.id } });
      assertSame([id, type], [channel.id, channel.type], 'the channel in the list:');
    },
  ],
  [
    'stages',
    'GET /v1/stages: a plain array of stages, in order.',
    async (session) => {
      const orders = (await expectSuccess(session, 'listStages')).map(({ order }) => order);
      assertSame(
        orders,
        orders.toSorted((a, b) => a - b),
        'order in this order:',
      );
    },
  ],
  [
    'overview',
    'GET /v1/analytics/overview: integers, and stages mapping stage id to count.',
    async (session) => {
      const { stages } = await expectSuccess(session, 'getAnalyticsOverview');
      assertThat(Object.values(stages).every(Number.isInteger), 'a count for each stage id', stages);
    },
  ],
  [
    'workflow_status',
    'POST /v1/workflows/{workflow_id}/status sets the status to the requested value.',
    async (session) => {
      const { data } = await expectSuccess(session, 'listWorkflows');
      const [workflow] = data;
      if (!workflow) throw new NotChecked('the workspace has no workflows');
      const { status, id: workflow_id } = workflow;
      // The current status: the workspace does not change.
      const { status: now } = await expectSuccess(session, 'setWorkflowStatus', {
        params: { workflow_id },
        body: { status },
      });
      assertSame(now, status, 'status');
    },
  ],
  [
    'availability',
    'PUT /v1/users/{user_id}/availability.',
    async (session) => {
      const [user] = (await expectSuccess(session, 'listUsers')).data;
      if (user?.available === undefined) throw new NotChecked('no user has available');
      const { available } = user;
      const params = { user_id: user.id };
      const { available: now } = await expectSuccess(session, 'setUserAvailability', { params, body: { available } });
      assertSame(now, available, 'available');
    },
  ],
  [
    'template',
    'GET /v1/chatapp/templates/{template_id}: a template of the list.',
    async (session) => {
      const [template] = (await expectSuccess(session, 'listTemplates')).data;
      if (!template) throw new NotChecked('the workspace has no templates');
      const { id, name } = await expectSuccess(session, 'getTemplate', { params: { template_id: template.id } });
      assertSame([id, name], [template.id, template.name], 'the template in the list:');
    },
  ],
  [
    'template_filter',
    'GET /v1/chatapp/templates takes status and language.',
    async (session) => {
      const { language } = await findApprovedTemplate(session);
      const { data } = await expectSuccess(session, 'listTemplates', { query: { status: 'approved', language } });
      const others = data.filter((one) => one.status !== 'approved' || one.language !== language);
      assertSame(
        others.map(({ id }) => id),
        [],
        'templates that the filter should leave out:',
      );
    },
  ],
  ['template_created', 'POST /v1/chatapp/templates: pending; DELETE: 204, removed.', checkTemplateCreation],
  ['broadcast', 'POST /v1/broadcasts: 201; cancel stops a scheduled one.', checkBroadcast],
  [
    'broadcast_audience',
    'audience: exactly one of tags, stage_id, recipients.',
    async (session) => {
      const body = await broadcastBody(session);
      const two = { ...body, audience: { tags: [session.run_name], stage_id: session.run_name } };
      await expectRefusal(session, 'createBroadcast', { body: two }, [400, 422]);
    },
  ],
]);

async function checkTemplateCreation(session: Session): Promise<void> {
  if (!session.options.templates)
    throw new NotChecked('needs --templates: it submits a template to the review of the channel platform');
  const name = session.run_name.replace('-', '_');
  const components = [{ type: 'body' as const, text: 'A conformance check.' }];
  const body = { name, language: 'en', category: 'utility', components };
  const template = await expectSuccess(session, 'createTemplate', { body });
  const params = { template_id: template.id };
  session.leaves.add(`template name ${name}, which cannot be used again for 30 days`);
  assertSame([template.name, template.status], [name, 'pending'], 'name and status');
  await expectSuccess(session, 'deleteTemplate', { params });
  await expectRefusal(session, 'createTemplate', { body }, [409, 422]);
}

/** For an unused tag in the year 2100: it reaches nobody even if it is not cancelled. */
async function broadcastBody(session: Session) {
  const { name, language } = await findFixedTemplate(session);
  return {
    name: session.run_name,
    channel_id: (await findChatappChannel(session)).id,
    template: { name, language },
    audience: { tags: [`${session.run_name}-nobody`] },
    send_at: '2100-01-01T00:00:00Z',
  };
}

async function checkBroadcast(session: Session): Promise<void> {
  await expectSuccess(session, 'listBroadcasts');
  const body = await broadcastBody(session);
  const headers = idempotencyHeaders();
  const { id: broadcast_id } = await expectSuccess(session, 'createBroadcast', { body, headers });
  session.leaves.add(`broadcast ${broadcast_id}, cancelled, to nobody, named ${session.run_name}`);
  const again = await expectSuccess(session, 'createBroadcast', { body, headers });
  assertSame(again.id, broadcast_id, 'the same broadcast for the same idempotency key:');
  await expectSuccess(session, 'cancelBroadcast', { params: { broadcast_id } });
  const { id, name } = await expectSuccess(session, 'getBroadcast', { params: { broadcast_id } });
  assertSame([id, name], [broadcast_id, session.run_name], 'the broadcast:');
}
