import { Channel } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { dateTime, inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

/** A channel with what administrators must know of it. Secrets are never in it. */
export const ChannelState = Type.Object({
  channel: Channel,
  messaging_tier: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description:
        'Recipients in 24 hours to whom the business may write first; null for any number. Absent: not known yet.',
    }),
  ),
  username: Type.Optional(
    Type.Object(
      { name: text(), status: text('As the platform states it: reserved, then active.') },
      { description: 'Of the business at the platform.' },
    ),
  ),
  history: Type.Optional(
    Type.Object(
      {
        state: text('running, finished, or declined by the business.'),
        phase: Type.Optional(Type.Integer({ description: 'As the platform numbers it, the newest messages first.' })),
        progress: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'In per cent.' })),
      },
      { description: 'Of the phone app of the same number, as far as the platform reports its import.' },
    ),
  ),
  trouble: Type.Optional(text('Why the platform refuses every call of the channel.')),
  next_try_at: Type.Optional(dateTime('When the platform is called again.')),
  secrets_open: Type.Boolean({
    description: 'Whether a key of the service opens the secrets. Otherwise enter them again.',
  }),
  callback_verified_at: Type.Optional(
    dateTime('When the platform last verified the callback address with the verify token.'),
  ),
  disconnected_at: Type.Optional(dateTime('When a person disconnected it. Its conversations stay.')),
  version: text('Of the values that a person changes.'),
});
export type ChannelState = Static<typeof ChannelState>;

export const channelChecks = ['number', 'account', 'app_secret', 'subscription'] as const;
export type ChannelCheckName = (typeof channelChecks)[number];

/** What the platform says of access to a number. */
export const ChannelCheck = Type.Object({
  checks: Type.Array(
    Type.Object({
      name: Type.Enum([...channelChecks], { type: 'string' }),
      state: Type.Enum(['passed', 'failed', 'skipped'], {
        type: 'string',
        description: '`skipped`: it needs a value that is missing, or one that failed.',
      }),
      detail: Type.Optional(text('The reason, as the platform states it.')),
    }),
  ),
  display_phone: Type.Optional(text()),
  verified_name: Type.Optional(text()),
  quality: Type.Optional(text()),
  status: Type.Optional(text()),
});
export type ChannelCheck = Static<typeof ChannelCheck>;

const secret = (description: string) => Type.String({ minLength: 1, bound: 'long', description });
const key = (description: string) => Type.String({ minLength: 1, maxLength: 255, description });
const name = Type.String({ minLength: 1, maxLength: 255 });
const access = {
  phone_number_id: key('The phone number at the platform.'),
  waba_id: key('The business account at the platform.'),
  // No header takes other characters, so a call with them would fail as one that the platform does not answer.
  access_token: Type.String({
    ...{ minLength: 1, bound: 'long', pattern: '^[!-~]+$' },
    description: 'Of a system user, so that it does not expire.',
  }),
};
const appSecret = secret('It verifies the signatures of notifications.');

const Callback = {
  callback_url: text('The address that the platform calls.'),
  verify_token: text('Shown once.'),
};
const ofChannel = Type.Object({ workspace_id: text(), channel_id: text() });

export const channelSetupOperations = {
  listChannelStates: defineConsoleOperation({
    id: 'listChannelStates',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/channel-states',
    audience: 'admin',
    summary: 'List the channels with their health',
    idempotent: false,
    params: inWorkspace,
    reply: {
      status: 200,
      body: Type.Object({ data: Type.Array(ChannelState), callback_url: Callback.callback_url }),
    },
    refusals: [],
  }),
  checkChannelAccess: defineConsoleOperation({
    id: 'checkChannelAccess',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/channel-checks',
    audience: 'admin',
    summary: 'Ask the platform whether these ids and secrets fit together, before a channel has them',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({ ...access, app_secret: Type.Optional(appSecret) }),
    reply: { status: 200, body: ChannelCheck },
    refusals: ['unprocessable_content'],
  }),
  connectChannel: defineConsoleOperation({
    id: 'connectChannel',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/channels',
    audience: 'admin',
    confirmed: true,
    summary: 'Connect a phone number of the platform; the answer alone shows the verify token',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({ name, ...access, app_secret: appSecret }),
    reply: { status: 201, body: Type.Object({ state: ChannelState, ...Callback }) },
    refusals: ['limit_reached', 'unprocessable_content'],
  }),
  checkChannel: defineConsoleOperation({
    id: 'checkChannel',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/channels/{channel_id}/checks',
    audience: 'admin',
    summary: 'Ask the platform about a channel, subscribe to its notifications, and store its state',
    idempotent: false,
    params: ofChannel,
    reply: { status: 200, body: ChannelCheck },
    refusals: ['not_found', 'changed_meanwhile'],
  }),
  changeChannel: defineConsoleOperation({
    id: 'changeChannel',
    method: 'PATCH',
    path: '/console/v1/workspaces/{workspace_id}/channels/{channel_id}',
    audience: 'admin',
    confirmed: true,
    summary: 'Change a channel, unless somebody changed it since the given version; only sent members change',
    idempotent: false,
    params: ofChannel,
    body: Type.Object({
      version: text(),
      name: Type.Optional(name),
      waba_id: Type.Optional(access.waba_id),
      access_token: Type.Optional(access.access_token),
      app_secret: Type.Optional(appSecret),
    }),
    reply: { status: 200, body: ChannelState },
    refusals: ['not_found', 'changed_meanwhile', 'unprocessable_content'],
  }),
  getDisconnection: defineConsoleOperation({
    id: 'getDisconnection',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/channels/{channel_id}/disconnection',
    audience: 'admin',
    summary: 'Count what a disconnection of the channel would stop',
    idempotent: false,
    params: ofChannel,
    reply: {
      status: 200,
      body: Type.Object({
        waiting_messages: Type.Integer({ description: 'They would fail.' }),
        scheduled_messages: Type.Integer({ description: 'They would fail, and wait for a new decision.' }),
        broadcasts: Type.Integer({ description: 'Scheduled or sending ones: they would be cancelled.' }),
        open_conversations: Type.Integer(),
      }),
    },
    refusals: ['not_found'],
  }),
  disconnectChannel: defineConsoleOperation({
    id: 'disconnectChannel',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/channels/{channel_id}/disconnection',
    audience: 'admin',
    confirmed: true,
    summary: 'Stop sending and receiving by a channel, unless somebody changed it since the given version',
    idempotent: false,
    params: ofChannel,
    body: Type.Object({ version: text() }),
    reply: { status: 200, body: ChannelState },
    refusals: ['not_found', 'changed_meanwhile', 'unprocessable_content'],
  }),
  renewVerifyToken: defineConsoleOperation({
    id: 'renewVerifyToken',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/channels/{channel_id}/verify-token',
    audience: 'admin',
    confirmed: true,
    summary: 'Give a channel a new verify token; the answer alone shows it',
    idempotent: false,
    params: ofChannel,
    reply: { status: 200, body: Type.Object(Callback) },
    refusals: ['not_found', 'changed_meanwhile'],
  }),
};
