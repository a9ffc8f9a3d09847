import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Processor time that a process used so far, in milliseconds. */
export function processorMs(pid: number | string): number {
  const fields = statOf(pid);
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** The same for each child of a process that lives now, such as PostgreSQL's sessions. */
export function childrenProcessorMs(parent: number): Map<string, number> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === parent);
  return new Map(pids.map((pid) => [pid, processorMs(pid)]));
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(statOf(pid)[1]);
  } catch {
    return undefined;
  }
}

/** The fields behind the command's name, which may hold spaces and brackets: state, parent, … */
function statOf(pid: number | string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
