import { publicId } from '../../server/src/database/ids.ts';
import { eventually } from './eventually.ts';
import type { TestService, TestWorkspace } from './start-test-service.ts';

/** The public ids of a received message. */
export interface ReceivedMessage {
  wamid: string;
  message_id: string;
  conversation_id: string;
  contact_id: string;
}

/** Sends a text of a simulated customer, which opens the window at the service and at the simulator. */
export async function receiveMessage(
  majlis: TestService,
  workspace: TestWorkspace,
  digits: string,
): Promise<ReceivedMessage> {
  const { phone_number_id } = workspace;
  const wamid = majlis.simulator.inject({ phone_number_id, from: digits, type: 'text', content: 'Hello' });
  const { id, conversation_id, actor_id } = await readReceivedMessage(majlis, workspace, wamid);
  return { wamid, message_id: id!, conversation_id: conversation_id!, contact_id: actor_id! };
}

/** Answers a function that sends any content of a simulated customer and reads the message by the API. */
export function messageReceiver(majlis: TestService, workspace: TestWorkspace) {
  const { phone_number_id } = workspace;
  return (from: string, type: string, content?: unknown, more: object = {}) =>
    readReceivedMessage(majlis, workspace, majlis.simulator.inject({ phone_number_id, from, type, content, ...more }));
}

/** Waits for the message with this id of the platform. */
export async function readReceivedMessage(majlis: TestService, { api }: TestWorkspace, wamid: string) {
  const [row] = await eventually(
    () => majlis.sql<{ id: string }>('select id from messages where platform_message_id = $1', [wamid]),
    (rows) => rows.length === 1,
  );
  return (await api.get(`/messages/${publicId('message', row!.id)}`)).body;
}
