import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Builds dist/: JavaScript, declarations and source maps. In the working copy the package is its sources, so that no change waits
 * for a build. With `--published`, package.json names dist/ instead, for `npm pack`; `--restore` undoes that.
 */
const here = import.meta.dirname;
const manifest = path.join(here, 'package.json');

if (!process.argv.includes('--restore')) {
  rmSync(path.join(here, 'dist'), { recursive: true, force: true });
  const tsc = path.join(here, '../node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: here, stdio: 'inherit' });
  // The compiler leaves the specifiers of declarations as they are.
  for (const file of globSync(path.join(here, 'dist/**/*.d.ts'))) {
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll(/(from|import\()\s*(['"])(\.{1,2}\/[^'"]+)\.ts\2/g, '$1 $2$3.js$2'),
    );
  }
}
if (process.argv.includes('--published'))
  setExports((source) => ({
    types: source.replace('./src/', './dist/').replace(/\.ts$/, '.d.ts'),
    default: source.replace('./src/', './dist/').replace(/\.ts$/, '.js'),
  }));
if (process.argv.includes('--restore')) setExports((source) => source);

function setExports(entryOf: (source: string) => unknown): void {
  const content = JSON.parse(readFileSync(manifest, 'utf8')) as { exports: Record<string, unknown> };
  const names = Object.keys(content.exports);
  content.exports = Object.fromEntries(
    names.map((name) => [name, entryOf(name === '.' ? './src/index.ts' : `./src/${name.slice(2)}.ts`)]),
  );
  writeFileSync(manifest, `${JSON.stringify(content, null, 2)}\n`);
}
