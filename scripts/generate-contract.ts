import { readFile, writeFile } from 'node:fs/promises';
import { buildOpenApi } from '../contract/src/index.ts';

/** Writes contract/openapi.json. With `--check`, fails if the file is out of date. */
const file = new URL('../contract/openapi.json', import.meta.url);
const content = `${JSON.stringify(buildOpenApi(), null, 2)}\n`;
const isCurrent = (await readFile(file, 'utf8').catch(() => '')) === content;

if (!process.argv.includes('--check')) await writeFile(file, content);
else if (!isCurrent) {
  process.stderr.write('contract/openapi.json is out of date: run node scripts/generate-contract.ts\n');
  process.exitCode = 1;
}
