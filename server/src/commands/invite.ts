import { readConfig } from '../process/config.ts';
import { askOperator } from './ask-operator.ts';
import { findDoor } from './find-door.ts';

interface InviteOptions {
  workspace: string;
  email: string;
  role: string;
  owner?: true;
  url?: string;
}

interface MadeLink {
  link: string;
  expires_at: string;
}

/** `majlis invite`: prints a link, good once and for a day, with which a person joins a workspace. */
export async function invite({ workspace, email, role, owner, url }: InviteOptions): Promise<void> {
  const door = await findDoor(readConfig(process.env, 'apply'), url);
  const order = { kind: 'invitation', workspace, email, role: owner ? 'owner' : role };
  const { link } = (await askOperator(door, 'POST', '/links', order)) as MadeLink;
  process.stdout.write(`${link}\n`);
}

/** `majlis reset-password`: prints a link, good once and for a day, with which a person sets a new password. */
export async function resetPassword({ email, url }: { email: string; url?: string }): Promise<void> {
  const door = await findDoor(readConfig(process.env, 'apply'), url);
  const { link } = (await askOperator(door, 'POST', '/links', { kind: 'reset', email })) as MadeLink;
  process.stdout.write(`${link}\n`);
}
