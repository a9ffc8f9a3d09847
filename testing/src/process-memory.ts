import { readFile, writeFile } from 'node:fs/promises';

// Written to `clear_refs`, it sets the peak of the memory to what is used now.
const forgetPeak = '5';

/** The memory of a service that a test has started, in MB: at present, and the most since `forgetPeak`. */
export interface ProcessMemory {
  now(): Promise<number>;
  peak(): Promise<number>;
  forgetPeak(): Promise<void>;
}

export function processMemory(pid: number): ProcessMemory {
  async function read(name: string): Promise<number> {
    const status = await readFile(`/proc/${await servingPid(pid)}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)![1]) / 1024;
  }
  return {
    now: () => read('VmRSS'),
    peak: () => read('VmHWM'),
    forgetPeak: async () => writeFile(`/proc/${await servingPid(pid)}/clear_refs`, forgetPeak),
  };
}

/** The command hands over to the pinned Node.js where another started it. */
async function servingPid(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const child of children.trim().split(' ').filter(Boolean)) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8');
    if (command.includes('main.ts') || command.includes('majlis.js')) return Number(child);
  }
  return pid;
}
