import { readFile, writeFile } from 'node:fs/promises';
import { buildOpenApi, renderDecisions } from '../contract/src/index.ts';

/** Writes what is generated from the contract; with `--check`, says which file is out of date and fails. */
const files = {
  'contract/openapi.json': `${JSON.stringify(buildOpenApi(), null, 2)}\n`,
  'docs/decisions.md': renderDecisions(),
};

const check = process.argv.includes('--check');

for (const [path, content] of Object.entries(files)) {
  const url = new URL(`../${path}`, import.meta.url);
  const current = await readFile(url, 'utf8').catch(() => '');
  if (current === content) continue;
  if (check) {
    process.stderr.write(`${path} is out of date: run node scripts/generate-contract.ts\n`);
    process.exitCode = 1;
  } else {
    await writeFile(url, content);
  }
}
