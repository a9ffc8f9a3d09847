import { readConfig } from '../process/config.ts';
import { loadLocalSecrets } from '../process/local-secrets.ts';
import { createLog } from '../process/log.ts';
import { type SettingOptions, withOptions } from './describe-settings.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { startMajlis } from './start-majlis.ts';

/** `majlis serve`: the service for production. */
export async function serve(options: SettingOptions): Promise<void> {
  const config = readConfig(withOptions(process.env, options), 'serve');
  const log = createLog(config.logLevel);
  await runUntilStopped(log, async () => {
    const majlis = await startMajlis(config, log, await loadLocalSecrets(config));
    process.stdout.write(`Majlis is ready at ${majlis.url}\n`);
    return majlis;
  });
}
