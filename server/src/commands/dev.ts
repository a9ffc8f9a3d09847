import path from 'node:path';
import { type Simulator, startSimulator } from '@majlis/simulator';
import type { Logger } from 'pino';
import { type Config, readConfig, simulatorApiUrl, urlOf } from '../process/config.ts';
import { prepareDataDir } from '../process/data-dir.ts';
import { type LocalSecrets, loadLocalSecrets, loadSimulatorToken } from '../process/local-secrets.ts';
import { createLog } from '../process/log.ts';
import { checkPort, explainListen } from './check-port.ts';
import { type DemoWorkspace, demoCustomer, demoPhoneNumberId, demoWorkspace } from './demo-workspace.ts';
import { type SettingOptions, withOptions } from './describe-settings.ts';
import { fillDemo } from './fill-demo.ts';
import { followClock, type PlatformClock } from './follow-clock.ts';
import { makeSignInPath, openDemo } from './open-demo.ts';
import { createRegistrar } from './register-numbers.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { showBanner } from './show-banner.ts';
import { startMajlis } from './start-majlis.ts';

/** `majlis dev`: the whole product on one machine, with a simulated platform and a demo workspace. */
export async function dev(options: SettingOptions): Promise<void> {
  const config = readConfig(withOptions(process.env, options), 'dev');
  const log = createLog(config.logLevel);
  await runUntilStopped(log, async () => {
    await prepareDataDir(config.dataDir);
    const secrets = await loadLocalSecrets(config);
    const demo = demoWorkspace(secrets, callbackUrl(urlOf(config.host, config.port)));
    const clock = followClock();
    const simulator = await startPlatform(config, demo, clock);
    try {
      return await startWithDemo({ config, log, secrets, demo, clock, simulator });
    } catch (error) {
      await simulator.close();
      throw error;
    }
  });
}

interface StartWithDemo {
  config: Config;
  log: Logger;
  secrets: LocalSecrets;
  demo: DemoWorkspace;
  clock: PlatformClock;
  simulator: Simulator;
}

async function startWithDemo({ config, log, secrets, demo, clock, simulator }: StartWithDemo) {
  const isSimulated = config.chatappApiUrl === simulatorApiUrl(config.simulatorHost, config.simulatorPort);
  const chatappApiUrl = isSimulated ? simulator.api_url : config.chatappApiUrl;
  const setUpPlatform = isSimulated ? createRegistrar(simulator) : undefined;
  const exampleIds = new Map<string, string>();
  const majlis = await startMajlis({ ...config, chatappApiUrl }, log, secrets, { setUpPlatform, exampleIds });
  const stop = async () => {
    clock.stop();
    await majlis.stop().finally(simulator.close);
  };
  try {
    const door = { url: majlis.url, token: secrets.operator_token };
    clock.follow(door);
    // With PORT 0, the callback address is known only now.
    const { webhook } = demo.platform;
    if (webhook) webhook.callback_url = callbackUrl(majlis.url);
    const opened = await openDemo(door, config.dataDir, demo.file);
    if (opened.key) greet(simulator);
    for (const [example, id] of await fillDemo(door.url, opened, config.dataDir)) exampleIds.set(example, id);
    const sign_in_link = `${majlis.url}${await makeSignInPath(door)}`;
    process.stdout.write(showBanner({ url: majlis.url, sign_in_link, simulator, demo: opened }));
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts the simulator before the service, so that queued messages do not fail for an unknown number. */
async function startPlatform(config: Config, { platform }: DemoWorkspace, clock: PlatformClock): Promise<Simulator> {
  const listener = { host: config.simulatorHost, port: config.simulatorPort, setting: 'SIMULATOR_PORT' } as const;
  await checkPort(listener);
  try {
    const state_file = path.join(config.dataDir, 'simulator.json');
    const control_token = await loadSimulatorToken(config);
    const { host, port } = listener;
    return await startSimulator({ host, port, control_token, now: clock.now, state_file, ...platform });
  } catch (error) {
    throw await explainListen(error, listener);
  }
}

function callbackUrl(url: string): string {
  return `${url}/platform/chatapp/webhook`;
}

/** Lets a customer write first, so that the demo has a conversation. */
function greet(simulator: Simulator): void {
  simulator.inject({
    phone_number_id: demoPhoneNumberId,
    from: demoCustomer.phone,
    name: demoCustomer.name,
    type: 'text',
    content: 'Hello! Is my order A-1042 on its way?',
  });
}
