import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, normalize, relative } from 'node:path';

// The house's floors: who may import whom. Packages first, then the rooms of the server, lowest first; a room imports
// rooms below it and the machinery, and the machinery imports no room.
const packages: Record<string, string[]> = {
  contract: [],
  simulator: [],
  server: ['contract', 'simulator'],
  bench: ['contract', 'simulator', 'server'],
  prove: ['contract', 'simulator', 'server', 'bench'],
  scripts: ['contract', 'simulator', 'server'],
};
const rooms = ['workspaces', 'users', 'channels', 'media', 'templates', 'conversations', 'contacts', 'messages'];
rooms.push('broadcasts', 'workflows', 'ai', 'analytics', 'webhook-endpoints', 'inbound', 'operator');
const machinery = ['http', 'database', 'jobs', 'events', 'platform', 'secrets', 'probes', 'documentation'];
machinery.push('email', 'files', 'outbound', 'automation');
/** The files above all rooms, which put them together. */
const composition = ['app.ts', 'worker.ts', 'start-service.ts', 'main.ts', 'commands'];
composition.push('contact-holders.ts');

const files = globSync('{contract,simulator,server,bench,prove,scripts}/**/*.ts', {
  exclude: (name) => name === 'node_modules',
});
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const faults = [...files.flatMap(directionFaults), ...cycles()];
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exit(1);

function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier]) => {
    if (specifier!.startsWith('.')) return normalize(`${dirname(file)}/${specifier}`);
    if (specifier!.startsWith('@majlis/')) return `${specifier!.slice('@majlis/'.length)}/src/index.ts`;
    return specifier!;
  });
}

function directionFaults(file: string): string[] {
  const home = packageOf(file)!;
  return imports.get(file)!.flatMap((target) => {
    if (!existsSync(target)) return [];
    const away = packageOf(target)!;
    if (away !== home)
      return packages[home]!.includes(away) ? [] : [`${file} imports ${target}: ${home} may not import ${away}`];
    // Tests may look at anything, and stand on no floor.
    if (!file.startsWith('server/src/') || file.endsWith('.test.ts')) return [];
    const from = floorOf(file);
    const to = floorOf(target);
    return from.floor > to.floor || from.room === to.room ? [] : [`${file} imports ${target}, which is above it`];
  });
}

function packageOf(file: string): string | undefined {
  return file.split('/')[0];
}

/** 0 for the machinery, then the rooms in their order, then what puts them together. */
function floorOf(file: string): { floor: number; room: string } {
  const place = relative('server/src', file).split('/')[0]!;
  if (composition.includes(place)) return { floor: rooms.length + 1, room: 'composition' };
  if (rooms.includes(place)) return { floor: rooms.indexOf(place) + 1, room: place };
  // It judges any deployment from outside: it knows the contract and nothing of the server.
  if (place === 'conform') return { floor: 0, room: place };
  if (machinery.includes(place) || place.endsWith('.ts')) return { floor: 0, room: 'machinery' };
  throw new Error(`${file} stands in a room that has no floor: name it in scripts/check-imports.ts`);
}

/** Each circle of files once, as its path. */
function cycles(): string[] {
  const found = new Map<string, string>();
  const done = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) {
      const circle = path.slice(at);
      found.set([...circle].sort().join(), `a circle of imports: ${[...circle, file].join(' → ')}`);
    } else if (!done.has(file)) {
      for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    }
  };
  for (const file of files) visit(file, []);
  return [...found.values()];
}
