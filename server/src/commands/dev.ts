import path from 'node:path';
import { type Simulator, startSimulator } from '@majlis/simulator';
import type { Logger } from 'pino';
import { type Config, readConfig, simulatorApiUrl, urlOf } from '../process/config.ts';
import { prepareDataDir } from '../process/data-dir.ts';
import { type LocalSecrets, loadLocalSecrets, loadSimulatorToken } from '../process/local-secrets.ts';
import { createLog } from '../process/log.ts';
import { checkPort, explainListen } from './check-port.ts';
import { moveDemoClock } from './demo/move-demo-clock.ts';
import { demoDayMs, demoPersonas, playDay } from './demo/play-day.ts';
import { type DemoWorkspace, demoPhoneNumberId, demoWorkspace } from './demo-workspace.ts';
import { type SettingOptions, withOptions } from './describe-settings.ts';
import { fillDemo } from './fill-demo.ts';
import { followClock, type PlatformClock } from './follow-clock.ts';
import { makeSignInPath, openDemo } from './open-demo.ts';
import { createRegistrar } from './register-numbers.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { showBanner } from './show-banner.ts';
import { startMajlis } from './start-majlis.ts';

export type DevOptions = SettingOptions & {
  /** The demo workspace gets no conversations. */
  empty?: boolean;
  /** The simulated customers do not answer by themselves. */
  quietCustomers?: boolean;
};

/** `majlis dev`: the whole product on one machine, with a simulated platform and a demo workspace. */
export async function dev({ empty = false, quietCustomers = false, ...options }: DevOptions): Promise<void> {
  const config = readConfig(withOptions(process.env, options), 'dev');
  const log = createLog(config.logLevel);
  await runUntilStopped(log, async () => {
    await prepareDataDir(config.dataDir);
    const secrets = await loadLocalSecrets(config);
    const demo = demoWorkspace(secrets, callbackUrl(urlOf(config.host, config.port)));
    const clock = followClock();
    const simulator = await startPlatform(config, demo, clock);
    try {
      return await startWithDemo({ config, log, secrets, demo, clock, simulator, empty, quietCustomers });
    } catch (error) {
      await simulator.close();
      throw error;
    }
  });
}

interface StartWithDemo extends Required<Pick<DevOptions, 'empty' | 'quietCustomers'>> {
  config: Config;
  log: Logger;
  secrets: LocalSecrets;
  demo: DemoWorkspace;
  clock: PlatformClock;
  simulator: Simulator;
}

async function startWithDemo(options: StartWithDemo) {
  const { config, log, secrets, demo, clock, simulator, empty, quietCustomers } = options;
  const isSimulated = config.chatappApiUrl === simulatorApiUrl(config.simulatorHost, config.simulatorPort);
  const chatappApiUrl = isSimulated ? simulator.api_url : config.chatappApiUrl;
  const setUpPlatform = isSimulated ? createRegistrar(simulator) : undefined;
  const exampleIds = new Map<string, string>();
  const isFilled = isSimulated && !empty;
  const simulatorPageUrl = isSimulated ? simulator.url : undefined;
  const majlis = await startMajlis({ ...config, chatappApiUrl, simulatorPageUrl }, log, secrets, {
    ...{ setUpPlatform, exampleIds },
    ...(isFilled && config.testClock && { clock_behind_ms: demoDayMs }),
  });
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
    if (isFilled && opened.applied) {
      const day = { door, simulator, clock, applied: opened.applied };
      const { level } = log;
      // The notes of the day would log an e-mail each.
      if (level === 'warn') log.level = 'error';
      await goOn(log, () => playDay(day)).finally(() => {
        log.level = level;
      });
    }
    // A day that ended in the middle leaves the clock behind.
    await moveDemoClock({ door, clock }, Date.now());
    if (isFilled) {
      await goOn(log, async () => {
        for (const [example, id] of await fillDemo(door.url, opened, config.dataDir)) exampleIds.set(example, id);
      });
    }
    if (isSimulated && !quietCustomers) {
      const isSomebodyThere = () => majlis.countStreams() > 0;
      simulator.playPersonas({ phone_number_id: demoPhoneNumberId, personas: demoPersonas(), isSomebodyThere });
    }
    const sign_in_link = `${majlis.url}${await makeSignInPath(door)}`;
    process.stdout.write(showBanner({ url: majlis.url, sign_in_link, simulator, demo: opened }));
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A demo that lacks something is better than none. */
async function goOn(log: Logger, fill: () => Promise<void>): Promise<void> {
  try {
    await fill();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.error(`the demo lacks some of its conversations or examples: ${reason}`);
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
