import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { operatorToken } from '@majlis/testing/operator';
import { processorMs } from './processor-time.ts';

/** The service as an operator starts it, in a process of its own. */
export interface BenchService {
  url: string;
  pid: number;
  /** Processor time used so far, in milliseconds. */
  cpuMs(): number;
  /** The most memory that was resident at any time, in MB. */
  peakRssMb(): number;
  stop(): Promise<void>;
}

export async function startBenchService(options: {
  database_url: string;
  data_dir: string;
  port: number;
  platform_port: number;
  roles: string;
  settings?: Record<string, string>;
}): Promise<BenchService> {
  const url = `http://127.0.0.1:${options.port}`;
  const child = spawn(process.execPath, ['server/bin/majlis.js', 'serve'], {
    env: {
      ...process.env,
      PORT: String(options.port),
      DATABASE_URL: options.database_url,
      DATA_DIR: options.data_dir,
      CHATAPP_API_URL: `http://127.0.0.1:${options.platform_port}/v24.0`,
      OPERATOR_TOKEN: operatorToken,
      SECRET_KEY: 'secret-key-of-the-bench-0123456789',
      RATE_LIMITS: 'off',
      WEBHOOK_ALLOW_PRIVATE: '1',
      // All receivers are ports of one host.
      WEBHOOK_HOST_RATE: '100000',
      ROLES: options.roles,
      LOG_LEVEL: 'warn',
      ...options.settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilReady(url, child);
  return {
    url,
    pid: child.pid!,
    cpuMs: () => processorMs(child.pid!),
    peakRssMb: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await setTimeout(50);
  }
}
