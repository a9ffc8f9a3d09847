import { defineArea } from '../clause.ts';
import { approvedTemplate, chatappChannel } from '../sending.ts';
import { idempotent, refused, type Session, succeed } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

export const workspace = defineArea('workspace', [
  [
    'channel',
    'GET /v1/channels/{channel_id}: a channel of the list.',
    async (session) => {
      const channel = await chatappChannel(session);
      const { id, type } = await succeed(session, 'getChannel', { params: { channel_id: channel.id } });
      assertSame([id, type], [channel.id, channel.type], 'the channel of the list:');
    },
  ],
  [
    'stages',
    'GET /v1/stages: a plain array of stages, in order.',
    async (session) => {
      const orders = (await succeed(session, 'listStages')).map(({ order }) => order);
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
      const { stages } = await succeed(session, 'getAnalyticsOverview');
      assertThat(Object.values(stages).every(Number.isInteger), 'a count for each stage id', stages);
    },
  ],
  [
    'workflow_status',
    'POST /v1/workflows/{workflow_id}/status sets the status to the requested value.',
    async (session) => {
      const { data } = await succeed(session, 'listWorkflows');
      const [workflow] = data;
      if (!workflow) throw new NotChecked('the workspace has no workflows');
      const { status, id: workflow_id } = workflow;
      // The one that it has: nothing of the workspace is changed.
      const { status: now } = await succeed(session, 'setWorkflowStatus', {
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
      const [user] = (await succeed(session, 'listUsers')).data;
      if (user?.available === undefined) throw new NotChecked('no user says whether he or she is available');
      const { available } = user;
      const params = { user_id: user.id };
      const { available: now } = await succeed(session, 'setUserAvailability', { params, body: { available } });
      assertSame(now, available, 'available');
    },
  ],
  [
    'template',
    'GET /v1/chatapp/templates/{template_id}: a template of the list.',
    async (session) => {
      const [template] = (await succeed(session, 'listTemplates')).data;
      if (!template) throw new NotChecked('the workspace has no templates');
      const { id, name } = await succeed(session, 'getTemplate', { params: { template_id: template.id } });
      assertSame([id, name], [template.id, template.name], 'the template of the list:');
    },
  ],
  [
    'template_filter',
    'GET /v1/chatapp/templates takes status and language.',
    async (session) => {
      const { language } = await approvedTemplate(session);
      const { data } = await succeed(session, 'listTemplates', { query: { status: 'approved', language } });
      const others = data.filter((one) => one.status !== 'approved' || one.language !== language);
      assertSame(
        others.map(({ id }) => id),
        [],
        'templates that the filter should leave out:',
      );
    },
  ],
  ['template_created', 'POST /v1/chatapp/templates: pending; DELETE: 204, removed.', createTemplate],
  ['broadcast', 'POST /v1/broadcasts: 201; cancel stops a scheduled one.', broadcast],
  [
    'broadcast_audience',
    'audience: exactly one of tags, stage_id, recipients.',
    async (session) => {
      const body = await broadcastBody(session);
      const two = { ...body, audience: { tags: [session.mark], stage_id: session.mark } };
      await refused(session, 'createBroadcast', { body: two }, [400, 422]);
    },
  ],
]);

async function createTemplate(session: Session): Promise<void> {
  if (!session.options.templates) throw new NotChecked('needs --templates: the channel platform is asked for a review');
  const name = session.mark.replace('-', '_');
  const components = [{ type: 'body' as const, text: 'A conformance check.' }];
  const body = { name, language: 'en', category: 'utility', components };
  const template = await succeed(session, 'createTemplate', { body });
  const params = { template_id: template.id };
  session.leaves.add(`template name ${name}, which cannot be used again for 30 days`);
  assertSame([template.name, template.status], [name, 'pending'], 'name and status');
  await succeed(session, 'deleteTemplate', { params });
  await refused(session, 'createTemplate', { body }, [409, 422]);
}

/** For a tag that nobody has, far away: it reaches nobody even where it is not cancelled. */
async function broadcastBody(session: Session) {
  const { name, language } = await approvedTemplate(session);
  return {
    name: session.mark,
    channel_id: (await chatappChannel(session)).id,
    template: { name, language },
    audience: { tags: [`${session.mark}-nobody`] },
    send_at: '2100-01-01T00:00:00Z',
  };
}

async function broadcast(session: Session): Promise<void> {
  await succeed(session, 'listBroadcasts');
  const body = await broadcastBody(session);
  const headers = idempotent();
  const { id: broadcast_id } = await succeed(session, 'createBroadcast', { body, headers });
  session.leaves.add(`broadcast ${broadcast_id}, cancelled, to nobody, named ${session.mark}`);
  const again = await succeed(session, 'createBroadcast', { body, headers });
  assertSame(again.id, broadcast_id, 'the same broadcast for the same idempotency key:');
  await succeed(session, 'cancelBroadcast', { params: { broadcast_id } });
  const { id, name } = await succeed(session, 'getBroadcast', { params: { broadcast_id } });
  assertSame([id, name], [broadcast_id, session.mark], 'the broadcast:');
}
