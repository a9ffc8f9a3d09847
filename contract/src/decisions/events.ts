import type { Decision } from './decision.ts';

export const events: readonly Decision[] = [
  {
    open: 'Event types other than the three named',
    chosen: 'None is sent.',
    because: 'It can stay open.',
  },
  {
    open: 'Shape of `data` for `template.status_updated`',
    chosen: "`template`, with the Template's own fields.",
    because: 'The other events name the resource in the same way.',
  },
  {
    open: 'Payload sent by the test call',
    chosen:
      'The standard envelope of a type to which the endpoint subscribes, with `data` in its documented shape that ' +
      'names no real message.',
    because: 'A receiver is then tested with what it will get.',
  },
  {
    open: 'The test call among the deliveries',
    chosen: 'It is listed, with `attempt` 1, and never retried.',
    because: 'It is an attempt like any other, and its caller has the outcome already.',
  },
  {
    open: 'Number of webhook endpoints per workspace',
    chosen: 'Unlimited.',
    because: 'It can stay open.',
  },
  {
    open: 'The key of the signature',
    chosen: 'The whole secret string, `whsec_` included.',
    because: 'Receivers of this form of header use the secret as they were given it.',
  },
  {
    open: 'From where the delays between attempts count',
    chosen: 'Each from the attempt before.',
    because: 'That is what a backoff is; the eight attempts then take 44 hours and 36 minutes.',
  },
  {
    open: 'How the 3 days of consecutive failures are counted',
    chosen:
      'For each endpoint, from the first failed attempt since its last success. A gap of more than 48 hours without ' +
      'attempts, a success, or enabling it again starts the count anew.',
    because: 'An endpoint with little traffic must not be disabled by one failure long after another.',
  },
  {
    open: 'Events while an endpoint is disabled',
    chosen: 'They are kept and listed for 30 days, not attempted, and can be replayed by hand.',
    because: 'The contract keeps the history for 30 days, and a disabled endpoint gets nothing.',
  },
  {
    open: 'An endpoint that is enabled again',
    chosen: 'It gets new events. What waited or failed meanwhile is replayed by hand.',
    because: 'A receiver that comes back must not be flooded with old events unasked.',
  },
  {
    open: 'A webhook address whose name does not resolve yet',
    chosen: 'It is accepted; the check is made again at each attempt.',
    because: 'What a name resolves to is only known when it is used.',
  },
  {
    open: 'Which addresses a webhook may have',
    chosen:
      '`https`, at most 2048 characters, without user, password or a dot at the end of the host, on port 443 or one ' +
      'above 1023 that belongs to no other protocol; every address that the name resolves to is on the public ' +
      'internet. Anything else is 422; where a name changes its mind later, the attempt has no `response_status` and ' +
      'a `duration_ms` of 0, whatever it led to. An installation can allow `http` and private addresses for itself.',
    because: 'A webhook must not reach, nor explore, what only the service can reach.',
  },
  {
    open: 'When an answer to a webhook has been returned',
    chosen:
      'When its status and its whole body have arrived within the 10 seconds. Of a body longer than 16 KiB the rest ' +
      'is not received, and the status counts. A redirect is not followed: it is no 2xx.',
    because: 'A receiver that drips would otherwise hold a delivery for ever; nobody reads a long answer.',
  },
  {
    open: 'The secret in other answers than the one to the registration',
    chosen: 'It is absent.',
    because: 'It is shown in full only once, and a part of it helps nobody.',
  },
  {
    open: 'Event types in `events` that nobody knows',
    chosen: 'They are accepted, and match nothing.',
    because: 'The contract names no refusal, and does not say that its list is complete.',
  },
  {
    open: 'How an event is listed that was not attempted, because its endpoint was disabled',
    chosen: 'With `attempt` 0, and without `response_status`, `duration_ms` and `delivered_at`.',
    because: 'It is listed where its attempts would be, and nothing is claimed that did not happen.',
  },
  {
    open: 'The number of a replayed attempt',
    chosen: '`attempt` counts on; the schedule begins anew. A retry that still waits is taken over by the replay.',
    because: 'Two attempts of one event to one endpoint never share a number.',
  },
  {
    open: 'Whether the test call counts for the 3 days',
    chosen: 'Neither its success nor its failure does. It is made to a disabled endpoint, too.',
    because: 'It is no delivery, and shows whether to enable the endpoint again.',
  },
  {
    open: 'An attempt that was cut off because its process ended',
    chosen: 'It is listed without `response_status`, and made again at once in the same place of the schedule.',
    because: 'Whether the receiver got it is not known; it may get the event twice, never not at all.',
  },
  {
    open: 'How often one host may be called',
    chosen:
      'A setting of the operator, 500 times a second by each process, deliveries and test calls together; a host is one ' +
      'whatever the port. A test call beyond it is `rate_limited`, counts as a request, and its headers speak of this limit.',
    because: 'Any number of endpoints may be registered, and they may all lead to one victim.',
  },
];
