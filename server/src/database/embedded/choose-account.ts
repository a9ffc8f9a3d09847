import { readFile, stat } from 'node:fs/promises';
import { CannotRun } from '../../process/cannot-run.ts';

/** The unprivileged user under which PostgreSQL runs. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root. If root starts it, it runs as the owner of the cluster, or as `nobody` for a new
 * cluster. Undefined for any other user: PostgreSQL then runs as that user.
 */
export async function chooseAccount(clusterPath: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(clusterPath).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  // initdb looks up its user by name, so the system must know the user.
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  for (const name of ['nobody', 'daemon']) {
    const fields = users
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.split(':');
    const account = { uid: Number(fields?.[2]), gid: Number(fields?.[3]) };
    // On macOS, `nobody` is -2, which chown refuses.
    if (account.uid > 0 && account.gid > 0) return account;
  }
  throw new CannotRun(
    'PostgreSQL does not run as root, and this system has no user nobody to run it as: start Majlis as another user or set DATABASE_URL',
  );
}
