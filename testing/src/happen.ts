import { randomInt } from 'node:crypto';
import { notify, type Origin, type Service, settled, textFrom } from './notices.ts';

/** Lets as many customers write in one notification; answers when as many events are recorded. */
export async function happen(majlis: Service, workspace: Origin, count: number): Promise<void> {
  const messages = Array.from({ length: count }, (_, n) =>
    textFrom(`9689${randomInt(1_000_000, 10_000_000)}`, `Hello ${n}`),
  );
  const contacts = messages.map(({ from }) => ({ profile: { name: 'Muna' }, wa_id: from }));
  await notify(majlis, workspace, { contacts, messages });
  await settled(majlis);
}
