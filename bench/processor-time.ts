import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Processor time that a process used so far, in milliseconds. */
export function processorMs(pid: number): number {
  return ownMs(statOf(pid)!);
}

/** The same for a process and its children, such as PostgreSQL and its sessions, with those that ended; without some. */
export function familyProcessorMs(parent: number, without: ReadonlySet<number>): number {
  const stat = statOf(parent)!;
  let ms = ownMs(stat) + endedMs(stat);
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || without.has(Number(name))) continue;
    const child = statOf(name);
    if (child && Number(child[1]) === parent) ms += ownMs(child);
  }
  return ms;
}

function ownMs(stat: string[]): number {
  return toMs(stat[11], stat[12]);
}

/** Of the children that ended. */
function endedMs(stat: string[]): number {
  return toMs(stat[13], stat[14]);
}

function toMs(user: string | undefined, system: string | undefined): number {
  return ((Number(user) + Number(system)) * 1000) / ticksPerSecond;
}

/** The fields behind the command's name, which may hold spaces and brackets: state, parent, …; undefined for one that ended. */
function statOf(pid: number | string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
