import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/events/read-feed.ts',
    ['server/test/event-feed.test.ts'],
    [
      ['from event_feed for update`', 'from event_feed`', 'two readers of the feed give two events one place'],
      [
        'where workspace_id = $4 and position > $1',
        'where position > $1 and $4::uuid is not null',
        'the feed of one workspace shows events of all',
      ],
      [
        'where position > $1 and type = any($3) order by position limit $2`',
        'where position >= $1 and type = any($3) order by position limit $2`',
        'a page of the feed repeats the last event of the page before',
      ],
      [
        'events: events.slice(0, count), has_more: true',
        'events: events.slice(0, count), has_more: false',
        'the feed says that nothing follows where more does',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/events/record-events.ts',
    ['server/test/webhook-delivery.test.ts', 'server/test/webhook-endpoints.test.ts'],
    [
      [
        "'e.workspace_id = w.workspace_id and e.deleted_at is null'",
        "'e.deleted_at is null'",
        'an event is posted to an endpoint of another workspace',
      ],
      [
        'const mostReceivers = 32;',
        'const mostReceivers = 100_000;',
        'a shared transaction writes the deliveries to any number of endpoints',
        ['server/test/many-receivers.test.ts'],
      ],
    ],
  ),
];
