import { type Static, Type } from 'typebox';
import { examples } from './examples.ts';
import { ChannelType, dateTime, text } from './fields.ts';
import { defineOperation } from './operation.ts';
import { list } from './page.ts';

export const Channel = Type.Object(
  {
    id: text(),
    type: ChannelType,
    status: Type.Optional(text('The status as the channel platform states it.')),
    name: Type.Optional(text()),
    display_phone: Type.Optional(text('The phone number that contacts see.')),
    verified_name: Type.Optional(text('The business name that the channel platform has verified.')),
    quality: Type.Optional(text('The quality rating as the channel platform states it.')),
    waba_id: Type.Optional(text('The business account at the channel platform.')),
    phone_number_id: Type.Optional(text('The phone number at the channel platform.')),
    created_at: dateTime('When the channel was set up.'),
  },
  { title: 'Channel' },
);
export type Channel = Static<typeof Channel>;

export const channelOperations = {
  listChannels: defineOperation({
    id: 'listChannels',
    method: 'GET',
    path: '/v1/channels',
    label: 'Available',
    summary: 'List the channels',
    description: 'All channels of the workspace.',
    idempotent: false,
    reply: { status: 200, body: list('ChannelList', Channel) },
    refusals: [],
    example: { reply: { data: [examples.channel] } },
  }),

  getChannel: defineOperation({
    id: 'getChannel',
    method: 'GET',
    path: '/v1/channels/{channel_id}',
    label: 'Beta',
    summary: 'Read a channel',
    description: 'The channel with its status at the channel platform.',
    idempotent: false,
    params: Type.Object({ channel_id: text('The channel.') }),
    reply: { status: 200, body: Channel },
    refusals: ['not_found'],
    example: { params: { channel_id: examples.ids.channel }, reply: examples.channel },
  }),
};
