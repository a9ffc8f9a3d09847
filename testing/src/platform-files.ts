import { eventually } from './eventually.ts';
import type { AnyJson } from './json.ts';
import type { TestService, TestWorkspace } from './start-test-service.ts';

/** What the platform was sent as a file, with the bytes that it was given. */
export interface PlatformFile {
  type: string;
  mime: string | null;
  /** The file's part of the message. */
  body: AnyJson;
  bytes: Buffer;
}

/** The files that the platform was given for the messages of a conversation, in order. */
export async function filesAtPlatform(
  { simulator }: Pick<TestService, 'simulator'>,
  { api }: Pick<TestWorkspace, 'api'>,
  conversation_id: string,
  count: number,
): Promise<PlatformFile[]> {
  const sent = await eventually(
    async () => {
      const { data } = (await api.get(`/conversations/${conversation_id}/messages`)).body;
      const ids = data.filter(({ direction }: AnyJson) => direction === 'outbound').map(({ id }: AnyJson) => id);
      return ids.map((id: string) => simulator.ledger().find((entry) => entry.biz_opaque_callback_data === id));
    },
    (entries: AnyJson[]) => entries.length === count && entries.every(Boolean),
  );
  return Promise.all(sent.map(({ body }: AnyJson) => readFile(simulator, body.type, body[body.type])));
}

/** The bytes of a file that the platform holds. */
export async function readFile(
  simulator: TestService['simulator'],
  type: string,
  body: AnyJson,
): Promise<PlatformFile> {
  const answer = await fetch(`${simulator.url}/control/media/${body.id}`, {
    headers: { authorization: `Bearer ${simulator.control_token}` },
  });
  const mime = answer.headers.get('content-type');
  return { type, mime, body, bytes: Buffer.from(await answer.arrayBuffer()) };
}
