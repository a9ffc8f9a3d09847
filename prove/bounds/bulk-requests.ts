import type { FaultWorkspace } from '@majlis/testing/faults/fault-workspace';
import { notificationBody, platformText } from '@majlis/testing/notifications';
import type { Bounds } from '../../server/src/http/body/check-bounds.ts';
import type { BoundedRequest } from './bounded-requests.ts';
import { shapeNames, writeShape } from './worst-shapes.ts';

// The limit of the operations with lists of people, less the rest of the body.
const body_bytes = 4_000_000;

/** Imports and broadcasts of the largest body, with a shape in each row. */
export function bulkRequests({ short }: Bounds): BoundedRequest[] {
  return shapeNames.flatMap((shape) => [
    importOf(shape, 1_000, (text, n) => ({ name: text, tags: [text], identities: [identity(`bulk${n}`)] }), short),
    importOf(
      shape,
      1_000,
      (text, n) => ({ identities: [{ ...identity(`${n}${text}`), display_name: text }] }),
      short - 4,
    ),
    importOf(
      shape,
      30,
      (text) => ({ identities: Array.from({ length: 1_000 }, (_, n) => identity(`${n}${text}`)) }),
      60,
    ),
    {
      ...{ title: `createBroadcast of 10,000: ${shape}`, method: 'POST', path: '/v1/broadcasts' },
      body: JSON.stringify({
        name: 'Everybody',
        template: { name: 'order_update', language: 'en' },
        send_at: '2099-01-01T00:00:00Z',
        audience: {
          recipients: Array.from({ length: 10_000 }, (_, n) => {
            return { to: `+9689${2_000_000 + n}`, params: [writeShape(shape, 30), 'A-1042'] };
          }),
        },
      }),
    },
  ]);
}

const identity = (identifier: string) => ({ channel_type: 'instagram', identifier });

function importOf(shape: string, rows: number, row: (text: string, n: number) => object, most: number): BoundedRequest {
  let length = most;
  let body = '';
  do {
    const text = writeShape(shape, length);
    body = JSON.stringify({ contacts: Array.from({ length: rows }, (_, n) => row(text, n)) });
    length = Math.floor(length * 0.8);
  } while (length > 0 && Buffer.byteLength(body) > body_bytes);
  return { title: `importContacts of ${rows} rows: ${shape}`, method: 'POST', path: '/v1/contacts/import', body };
}

/** Notifications with longer texts than the platform sends. None may be lost. */
export function notificationsAtBound(channel: FaultWorkspace) {
  return shapeNames.flatMap((shape, index) =>
    [5_000, 500_000].map((most, place) => {
      const from = `968912${String(20_000 + 2 * index + place)}`;
      const text = writeShape(shape, most);
      const message = platformText(from, text);
      const contacts = [{ profile: { name: text }, wa_id: from }];
      const body = notificationBody(channel, { contacts, messages: [message] });
      return { title: `a notification with texts of ${most}: ${shape}`, ids: [message.id as string], body };
    }),
  );
}

/** A notification of new customers, each with a user id beside the number. Two have one number, as where it was handed on. */
export function notificationOfMany(channel: FaultWorkspace, customers: number) {
  const people = Array.from({ length: customers }, (_, n) => ({
    wa_id: `96894${200_000 + n - (n % 100 === 1 ? 1 : 0)}`,
    user_id: `OM.${300_000 + n}`,
  }));
  const contacts = people.map((person) => ({ ...person, profile: { name: 'Muna' } }));
  const messages = people.map(({ wa_id, user_id }) => platformText(wa_id, 'Hello', { from_user_id: user_id }));
  const title = `a notification of ${customers} new customers`;
  return {
    title,
    ids: messages.map(({ id }) => id as string),
    body: notificationBody(channel, { contacts, messages }),
  };
}
