import { type Static, Type } from 'typebox';
import { dateTime, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

export const timelineSteps = [
  'received',
  'noted',
  'proposed',
  'approved',
  'approved_edited',
  'accepted',
  'allowed_in_window',
  'allowed_by_template',
  'dispatched',
  'platform_accepted',
  'sent',
  'delivered',
  'read',
  'failed',
  'event',
  'waiting',
  'held_back',
  'outcome_unknown',
] as const;

const Delivery = Type.Object({
  url: text('Of the endpoint.'),
  attempt: Type.Integer(),
  outcome: Type.Enum(['waiting', 'delivered', 'failed'], { type: 'string' }),
  at: Type.Optional(dateTime()),
  response_status: Type.Optional(Type.Integer()),
  reason: Type.Optional(text()),
});

/** One thing that happened to a message, as far as the service has recorded it. */
export const TimelineStep = Type.Object({
  step: Type.Enum([...timelineSteps], { type: 'string' }),
  at: Type.Optional(dateTime('Absent: it is so now. Of a status: the time of the platform.')),
  actor_kind: Type.Optional(text('Of `accepted` and `noted`.')),
  actor_name: Type.Optional(text()),
  tries: Type.Optional(Type.Integer({ description: 'How often the send was tried without success so far.' })),
  until: Type.Optional(dateTime('Of `held_back`: the next try.')),
  code: Type.Optional(
    text("The platform's number, its id of the message, a word of the service, or the type of an event."),
  ),
  detail: Type.Optional(text('The words of the platform or the service.')),
  deliveries: Type.Optional(Type.Array(Delivery, { description: 'Of `event`, for admins.' })),
});
export type TimelineStep = Static<typeof TimelineStep>;

export const messageTimelineOperations = {
  readMessageTimeline: defineConsoleOperation({
    id: 'readMessageTimeline',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/messages/{message_id}/timeline',
    audience: 'agent',
    summary: 'Read what happened to a message; admins see which endpoints got its events',
    idempotent: false,
    params: Type.Object({ workspace_id: text(), message_id: text() }),
    reply: { status: 200, body: Type.Object({ data: Type.Array(TimelineStep, { description: 'Oldest first.' }) }) },
    refusals: ['not_found'],
  }),
};
