import { readConfig } from '../process/config.ts';
import { createLog } from '../process/log.ts';
import { openDatabase } from './open-database.ts';

/** `majlis migrate` */
export async function migrateDatabase(): Promise<void> {
  const config = readConfig(process.env, 'migrate');
  const { applied, close } = await openDatabase(config, createLog('warn'));
  await close();
  process.stdout.write(applied.length > 0 ? `applied ${applied.join(', ')}\n` : 'nothing to apply\n');
}
