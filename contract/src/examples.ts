const ids = {
  workspace: 'ws_01m7w3rcswerar8epr3ebrbbgw',
  channel: 'ch_wa_01m7w35pt8fkfr47ztmj5wjrw0',
  contact: 'ct_01m7w31z74fr9872adbwge5t31',
  other_contact: 'ct_01m7w3zw04e3594tcbhbkwkyfe',
  old_contact: 'ct_01m7w46b1fe3a8hy4qdjmxk2nz',
  conversation: 'cv_01m7w303djepbspsyha3y7qa87',
  message: 'msg_01m7w2y7m0fffakj68d6xa221f',
  inbound_message: 'msg_01m7w41qspebprt07p7fxbjy0k',
  template: 'tpl_01m7w33v0peyvttz37q01hdcww',
  old_template: 'tpl_01m7w47c2gf4b9jz5rekny3p0a',
  media: 'med_01m7w3gxkmeh5sjy5zm22t8r8t',
  user: 'usr_01m7w37jktf5gv205rt4dw967v',
  team: 'team_01m7w39edce49agbx8yt0em1th',
  stage: '01m7w3t8keec3bq29sf0ay7389',
  closing_category: '01m7w3w4d0fpnb5f6w79x18v99',
  workflow: 'wf_01m7w3ba6yfah9yppqq0mr6d3m',
  workflow_run: 'run_01m7w3d60gftybssxhv68vf0nz',
  broadcast: 'bc_01m7w3f1t2f0nbmezy158gwrdx',
  ai_agent: 'ai_01m7w3jsd6f0v9ar73tvm5w15h',
  webhook_endpoint: 'whe_01m7w3mn6remsvzany7hbpwhfd',
  old_webhook_endpoint: 'whe_01m7w48d3hg5cakn6sfmpz4q1b',
  webhook_delivery: '01m7w3y06je3rr02pmz3mzjgn5',
  event: 'evt_01m7w3ph0af6h9e7qjcxxgs7ks',
} as const;

const cursor = 'eyJhdCI6IjIwMjYtMTEtMjBUMDk6MDA6MDBaIn0';

const message = {
  id: ids.message,
  conversation_id: ids.conversation,
  direction: 'outbound',
  kind: 'text',
  body: 'Your order is on its way.',
  actor_kind: 'user',
  actor_id: ids.user,
  status: 'queued',
  created_at: '2026-11-20T09:00:00Z',
};

const inboundMessage = {
  id: ids.inbound_message,
  conversation_id: ids.conversation,
  direction: 'inbound',
  kind: 'text',
  body: 'When will it arrive?',
  actor_kind: 'contact',
  actor_id: ids.contact,
  created_at: '2026-11-20T08:58:00Z',
};

const conversation = {
  id: ids.conversation,
  contact_id: ids.contact,
  channel_id: ids.channel,
  channel_type: 'chatapp',
  status: 'open',
  stage_id: ids.stage,
  assignee_id: ids.user,
  controller: 'human',
  unread_count: 1,
  tags: ['vip-list'],
  last_customer_at: '2026-11-20T08:58:00Z',
  last_message_at: '2026-11-20T08:58:00Z',
  window_expires_at: '2026-11-21T08:58:00Z',
  contact_name: 'Muna Al Harthi',
  contact_handle: '+96891234567',
};

const contact = {
  id: ids.contact,
  name: 'Muna Al Harthi',
  identities: [{ channel_type: 'chatapp', identifier: '+96891234567', display_name: 'Muna' }],
  email: 'muna@example.com',
  language: 'ar',
  vip: true,
  blocked: false,
  tags: ['vip-list'],
  stage_id: ids.stage,
  consents: { chatapp_marketing: true },
  custom_fields: { city: 'Muscat' },
  last_activity_at: '2026-11-20T08:58:00Z',
};

const template = {
  id: ids.template,
  name: 'order_update',
  language: 'en',
  category: 'utility',
  components: [{ type: 'body', text: 'Hello {{1}}, your order {{2}} has left.', examples: ['Muna', 'A-1042'] }],
  status: 'approved',
  quality: 'GREEN',
  updated_at: '2026-11-18T10:15:00Z',
};

const channel = {
  id: ids.channel,
  type: 'chatapp',
  status: 'CONNECTED',
  name: 'Support',
  display_phone: '+96880000001',
  verified_name: 'Acme',
  quality: 'GREEN',
  waba_id: '100200',
  phone_number_id: '300400',
  created_at: '2026-11-01T06:00:00Z',
};

const user = {
  id: ids.user,
  name: 'Aisha Said',
  email: 'aisha@acme.example',
  role: 'admin',
  teams: [ids.team],
  available: true,
  last_active_at: '2026-11-20T08:59:00Z',
};

const customField = { key: 'city', label: 'City', type: 'select', options: ['Muscat', 'Salalah'] } as const;

const workflow = {
  id: ids.workflow,
  name: 'Welcome',
  status: 'published',
  trigger: 'api_call',
  updated_at: '2026-11-10T12:00:00Z',
};

const broadcast = {
  id: ids.broadcast,
  name: 'National day offer',
  channel_id: ids.channel,
  template: { name: 'national_day', language: 'ar' },
  audience: { tags: ['vip-list'] },
  send_at: '2030-11-21T06:00:00Z',
  status: 'scheduled',
  counts: { total: 0, queued: 0, sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 },
};

const aiAgent = { id: ids.ai_agent, name: 'Concierge', languages: ['ar', 'en'] };

const webhookEndpoint = {
  id: ids.webhook_endpoint,
  url: 'https://hooks.acme.example/majlis',
  events: ['message.received', 'message.status_updated'],
  enabled: true,
  created_at: '2026-11-12T07:30:00Z',
};

/** One of each resource, for the documentation: Muna orders from a shop in Muscat. */
export const examples = {
  ids,
  cursor,
  message,
  inboundMessage,
  conversation,
  contact,
  template,
  channel,
  user,
  customField,
  workflow,
  broadcast,
  aiAgent,
  webhookEndpoint,
};
