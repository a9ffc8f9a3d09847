import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/platform/json-object.ts';

type RecordedFile =
  | 'account-events'
  | 'envelope'
  | 'errors'
  | 'messages'
  | 'resources'
  | 'sending'
  | 'statuses'
  | 'template-events';

/** The shapes of one file, read again for each call: a test may change its copy. */
export function recordedShapes(file: RecordedFile): Record<string, JsonObject> {
  return JSON.parse(readFileSync(new URL(`./${file}.json`, import.meta.url), 'utf8')).shapes;
}

export function recordedShape(file: RecordedFile, name: string): JsonObject {
  const shape = recordedShapes(file)[name];
  if (!shape) throw new Error(`nothing recorded as ${name} in ${file}.json`);
  return shape;
}

/** Messages of section 7 with their common members, in the envelope of section 6.3. */
export function notificationOf(...messages: JsonObject[]): JsonObject {
  return notification('messages', {
    metadata: { display_phone_number: '15550001111', phone_number_id: '440000000000001' },
    contacts: [{ profile: { name: 'Sara' }, wa_id: '15550002222' }],
    messages: messages.map((message, at) => ({
      from: '15550002222',
      id: `wamid.${at}`,
      timestamp: '1772000000',
      ...message,
    })),
  });
}

export function notification(field: string, ...values: unknown[]): JsonObject {
  const changes = values.map((value) => ({ field, value }));
  return { object: 'whatsapp_business_account', entry: [{ id: '330000000000001', time: 1772000000, changes }] };
}
