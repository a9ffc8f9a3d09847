import type { Decision } from './decision.ts';

export const eventDecisions: readonly Decision[] = [
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
      'The standard envelope of a type to which the endpoint subscribes. `data` has the documented shape and names ' +
      'no real message.',
    because: 'The test then shows the receiver real event bodies.',
  },
  {
    open: 'The test call among the deliveries',
    chosen: 'It is listed with `attempt` 1 and never retried.',
    because: 'It is an attempt, and the caller has its result already.',
  },
  {
    open: 'Number of webhook endpoints per workspace',
    chosen: 'Unlimited.',
    because: 'It can stay open.',
  },
  {
    open: 'The key of the signature',
    chosen: 'The whole secret string, with `whsec_`.',
    because: 'Receivers of this header format use the secret as given.',
  },
  {
    open: 'The start of the delays between attempts',
    chosen: 'Each delay starts at the previous attempt.',
    because: 'A backoff works this way. The eight attempts then take 44 hours and 36 minutes.',
  },
  {
    open: 'The count of 3 days of consecutive failures',
    chosen:
      'For each endpoint, from the first failed attempt after its last success. The count restarts after 48 hours ' +
      'without attempts, after a success, and when the endpoint is enabled again.',
    because: 'One failure long after another must not disable an endpoint with little traffic.',
  },
  {
    open: 'Events while an endpoint is disabled',
    chosen: 'They are stored and listed for 30 days without attempts, and can be replayed manually.',
    because: 'The contract keeps the history for 30 days, and a disabled endpoint gets nothing.',
  },
  {
    open: 'An endpoint that is enabled again',
    chosen: 'It gets new events. Waiting and failed events can be replayed manually.',
    because: 'A receiver must not get a flood of old events without a request.',
  },
  {
    open: 'A webhook address whose name does not resolve yet',
    chosen: 'It is accepted; each attempt checks the address again.',
    because: 'The address of a name is known only at the time of use.',
  },
  {
    open: 'The addresses that a webhook may have',
    chosen:
      '`https`, at most 2048 characters, without user, password or a trailing dot in the host. The port is 443, or ' +
      'above 1023 and assigned to no other protocol. Every address of the name is on the public internet. ' +
      'Otherwise 422. If the name resolves differently later, the attempt has no `response_status` and a ' +
      '`duration_ms` of 0 in every case. An installation can allow `http` and private addresses.',
    because: 'A webhook must not reach or explore hosts that only the service can reach.',
  },
  {
    open: 'When a webhook response is complete',
    chosen:
      'The status and the whole body must arrive within 10 seconds. The service reads at most 16 KiB of a body, ' +
      'and the status counts. A redirect is not followed and is no 2xx.',
    because: 'A slow receiver would otherwise hold a delivery forever, and the body is not used.',
  },
  {
    open: 'The secret in responses other than the registration',
    chosen: 'It is absent.',
    because: 'The contract shows it in full only once, and a part of it has no use.',
  },
  {
    open: 'Unknown event types in `events`',
    chosen: 'They are accepted and match nothing.',
    because: 'The contract names no refusal, and does not say that its list is complete.',
  },
  {
    open: 'The listing of an event for a disabled endpoint',
    chosen: 'With `attempt` 0, and without `response_status`, `duration_ms` and `delivered_at`.',
    because: 'It stands in the place of its attempts and states only facts.',
  },
  {
    open: 'The number of a replayed attempt',
    chosen: '`attempt` continues to count; the schedule begins again. The replay replaces a waiting retry.',
    because: 'Two attempts of one event to one endpoint never share a number.',
  },
  {
    open: 'Whether the test call counts for the 3 days',
    chosen: 'Neither its success nor its failure counts. A disabled endpoint can be tested too.',
    because: 'The test is no delivery, and shows whether to enable the endpoint again.',
  },
  {
    open: 'An attempt that ended with its process',
    chosen: 'It is listed without `response_status` and repeated at once at the same place of the schedule.',
    because: 'The result of the attempt is unknown. The receiver may get the event twice, but never misses it.',
  },
  {
    open: 'The call rate of one host',
    chosen:
      'A setting of the operator, 500 a second for each process, deliveries and test calls together. All ports of ' +
      'a host count together. A test call above it gets `rate_limited`, counts as a request, and its headers show ' +
      'this limit.',
    because: 'Any number of endpoints may be registered, and all of them may lead to one victim.',
  },
];
