import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, normalize, relative } from 'node:path';

// Packages may import the packages listed. In the server, a module imports modules that stand before it in the list, and
// the foundation; the foundation imports no module.
const packages: Record<string, string[]> = {
  contract: [],
  'console-api': ['contract'],
  simulator: [],
  conform: ['contract'],
  sdk: [],
  // It shows the guide for agents.
  console: ['contract', 'console-api', 'docs'],
  server: ['contract', 'console-api', 'simulator', 'conform', 'sdk'],
  testing: ['contract', 'console-api', 'simulator', 'server', 'sdk'],
  bench: ['contract', 'simulator', 'server', 'testing'],
  prove: ['contract', 'console-api', 'simulator', 'server', 'testing', 'bench'],
  mutants: ['testing'],
  scripts: ['console-api', 'contract', 'simulator', 'server', 'testing'],
};
/** What only tests of a package may import. */
const testsMayImport: Record<string, string[]> = { sdk: ['contract', 'scripts'] };
const modules = ['workspaces', 'users', 'channels', 'media', 'templates', 'conversations', 'contacts', 'messages'];
modules.push(
  'broadcasts',
  'workflows',
  'ai',
  'proposals',
  'analytics',
  'webhook-endpoints',
  'inbound',
  'people',
  'live',
  'inbox',
  'retention',
  'operator',
  'console',
  'mcp',
);
const foundation = ['process', 'concurrency', 'database', 'jobs', 'events', 'http', 'platform', 'secrets', 'files'];
foundation.push('email', 'outbound', 'automation', 'probes', 'documentation');
/** These files stand above all modules and put them together. */
const composition = ['main.ts', 'app.ts', 'worker.ts', 'start-service.ts', 'commands', 'cli'];
composition.push('contact-holders.ts', 'sealed-places.ts');

const files = globSync(`{${Object.keys(packages).join()}}/**/*.{ts,tsx}`, {
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
    const [, name, entry = 'index'] = /^@majlis\/([^/]+)(?:\/(.+))?$/.exec(specifier!) ?? [];
    return name ? `${name}/src/${entry}.ts` : specifier!;
  });
}

function directionFaults(file: string): string[] {
  const home = packageOf(file)!;
  const isTest = /^(server|simulator|sdk)\/test\//.test(file) || file.endsWith('.test.ts');
  return imports.get(file)!.flatMap((target) => {
    if (!existsSync(target)) return [];
    const away = packageOf(target)!;
    if (away !== home) {
      const isAllowed =
        packages[home]!.includes(away) || (isTest && ['testing', ...(testsMayImport[home] ?? [])].includes(away));
      return isAllowed ? [] : [`${file} imports ${target}: ${home} may not import ${away}`];
    }
    if (!file.startsWith('server/src/') || isTest) return [];
    const from = levelOf(file);
    const to = levelOf(target);
    return from.level > to.level || from.module === to.module ? [] : [`${file} imports ${target}, which is above it`];
  });
}

function packageOf(file: string): string | undefined {
  return file.split('/')[0];
}

/** The foundation has level 0, the modules follow in their order, the composition is last. */
function levelOf(file: string): { level: number; module: string } {
  const place = relative('server/src', file).split('/')[0]!;
  if (composition.includes(place)) return { level: modules.length + 1, module: 'composition' };
  if (modules.includes(place)) return { level: modules.indexOf(place) + 1, module: place };
  if (foundation.includes(place)) return { level: 0, module: 'foundation' };
  throw new Error(`${file} has no level: name its folder in scripts/check-imports.ts`);
}

/** Each circle of files once, as its path. Imports of types count too. */
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
