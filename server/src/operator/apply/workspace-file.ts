import { BusinessHours, ConsentSettings, retentionDays, ViewFilter, WorkingHours } from '@majlis/console-api';
import {
  CustomFieldCreate,
  mapOf,
  TemplateCategory,
  TemplateComponent,
  TemplateStatus,
  WorkflowStatus,
} from '@majlis/contract';
import { type Static, type TSchema, Type } from 'typebox';

// Natural keys are indexed, and index entries are limited in size.
const key = () => Type.String({ minLength: 1, maxLength: 255 });
const text = () => Type.Optional(Type.String());
const longText = () => Type.Optional(Type.String({ bound: 'long' }));
// More rows than a workspace has: a file is the operator's, and its lists may be longer than those of a request.
const rows = <Row extends TSchema>(row: Row) => Type.Optional(Type.Array(row, { maxItems: 10_000 }));

const Channel = Type.Object({
  type: Type.Optional(Type.Enum(['chatapp'])),
  name: text(),
  display_phone: text(),
  verified_name: text(),
  waba_id: Type.Optional(key()),
  phone_number_id: key(),
  access_token: longText(),
  app_secret: longText(),
  verify_token: longText(),
  messaging_tier: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  /** The path of marketing templates at the platform. */
  marketing_route: Type.Optional(Type.Enum(['messages', 'marketing_messages'])),
  /** The calendar of its prices and allowances; the workspace's by default. */
  timezone: text(),
});
export type FileChannel = Static<typeof Channel>;

const fee = () => Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 });
const from = () => Type.Optional(Type.String({ format: 'date' }));
const country = () => Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' }));

/** A price of the platform's category that depends on the recipient's country, or begins on a day. */
const Rate = Type.Object({ category: key(), country: country(), from: from(), fee_minor: fee() });

/** The first messages of each number and calendar month that cost nothing. */
const Allowance = Type.Object({
  category: key(),
  from: from(),
  messages: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
});

/** `workflows/definition/read-definition.ts` reads the further members. */
const Workflow = Type.Object(
  { name: key(), status: Type.Optional(WorkflowStatus), trigger: Type.Optional(Type.Unknown()) },
  { additionalProperties: true },
);
export type FileWorkflow = Static<typeof Workflow>;

const Template = Type.Object({
  name: key(),
  language: key(),
  category: TemplateCategory,
  components: Type.Array(TemplateComponent),
  status: Type.Optional(TemplateStatus),
});
export type FileTemplate = Static<typeof Template>;

const ApiKey = Type.Object({
  name: key(),
  environment: Type.Optional(Type.Enum(['test', 'live'])),
  scopes: Type.Optional(Type.Array(Type.String())),
  /** The e-mail address of the user who is the author of messages sent with the key. */
  created_by: text(),
});
export type FileApiKey = Static<typeof ApiKey>;

/** AI credits of a calendar month; null for no limit. */
const monthlyCredits = () =>
  Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }), Type.Null()]));

const AiAgent = Type.Object({
  name: key(),
  status: text(),
  languages: Type.Optional(Type.Array(Type.String())),
  /** Instructions for the model on the business and the tone. */
  instructions: longText(),
  /** Its answers wait for a person before they are sent. */
  proposes: Type.Optional(Type.Boolean()),
  monthly_credits: monthlyCredits(),
});

const User = Type.Object({
  name: Type.String(),
  email: key(),
  role: text(),
  status: text(),
  /** Sees only the conversations that are assigned to them or to a team of theirs. */
  own_teams_only: Type.Optional(Type.Boolean()),
  /** Outside of them the user gets no conversations by turns. */
  working_hours: Type.Optional(WorkingHours),
});

const Team = Type.Object({ name: key(), members: rows(Type.String()) });
export type FileTeam = Static<typeof Team>;

/** A reply that everybody in the workspace has. */
const CannedReply = Type.Object({ name: key(), body: Type.String({ bound: 'long' }), language: text() });

const { contact_id: _contact, assignee_id, stage_id, team_id, ...plain } = ViewFilter.properties;

/** A view that everybody in the workspace has. A contact's view is no part of a file. */
const FileView = Type.Object({
  name: key(),
  filter: Type.Object({
    ...plain,
    /** The e-mail address of a user, `me` or `none`. */
    assignee: assignee_id,
    /** By their names. */
    stage: stage_id,
    team: team_id,
  }),
});
export type FileView = Static<typeof FileView>;

const WebhookEndpoint = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2_048 }),
  events: Type.Array(Type.String()),
  description: text(),
  event_data: Type.Optional(Type.Enum(['basic', 'full'])),
  enabled: Type.Optional(Type.Boolean()),
});

/** The operator's file of one workspace. Unknown members are ignored. */
export const WorkspaceFile = Type.Object({
  workspace: Type.Object({
    name: key(),
    industry: text(),
    country: country(),
    timezone: text(),
    language: text(),
    plan: text(),
  }),
  wallet: Type.Optional(
    Type.Object({
      balance_minor: Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
      currency: Type.String(),
    }),
  ),
  /** Fees of conversations by the platform's category, in minor units of the wallet's currency. */
  prices: Type.Optional(mapOf(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }))),
  rates: rows(Rate),
  allowances: rows(Allowance),
  channels: rows(Channel),
  stages: rows(Type.Object({ name: key(), emoji: text() })),
  closing_categories: rows(Type.Object({ name: key() })),
  users: rows(User),
  teams: rows(Team),
  ai_agents: rows(AiAgent),
  ai: Type.Optional(Type.Object({ monthly_credits: monthlyCredits() })),
  assignment: Type.Optional(Type.Enum(['round_robin', 'none'])),
  csat_text: longText(),
  workflows: rows(Workflow),
  templates: rows(Template),
  api_keys: rows(ApiKey),
  custom_fields: rows(CustomFieldCreate),
  business_hours: Type.Optional(BusinessHours),
  canned_replies: rows(CannedReply),
  consent_words: Type.Optional(Type.Partial(ConsentSettings)),
  retention: Type.Optional(
    Type.Object({
      conversation_days: Type.Integer({ minimum: retentionDays.least, maximum: retentionDays.most }),
    }),
  ),
  saved_views: rows(FileView),
  webhook_endpoints: rows(WebhookEndpoint),
});
export type WorkspaceFile = Static<typeof WorkspaceFile>;
