import { readFile, writeFile } from 'node:fs/promises';
import { buildConsoleOpenApi } from '../console-api/src/openapi.ts';
import { buildOpenApi } from '../contract/src/index.ts';
import { describeRoles } from './describe-roles.ts';
import { describeMethods, describeTypes } from './sdk/describe-sdk.ts';

/** Writes the documents that come from the tables of operations. With `--check`, fails if one is out of date. */
const toJson = (document: object) => `${JSON.stringify(document, null, 2)}\n`;
const files: Record<string, (present: string) => string> = {
  'contract/openapi.json': () => toJson(buildOpenApi()),
  'console-api/openapi.json': () => toJson(buildConsoleOpenApi()),
  'docs/console.md': describeRoles,
  'sdk/src/api.generated.ts': describeTypes,
  'sdk/src/methods.generated.ts': describeMethods,
};

for (const [name, generate] of Object.entries(files)) {
  const file = new URL(`../${name}`, import.meta.url);
  const present = await readFile(file, 'utf8').catch(() => '');
  const content = generate(present);
  if (content === present) continue;
  if (!process.argv.includes('--check')) await writeFile(file, content);
  else {
    process.stderr.write(`${name} is out of date: run node scripts/generate-contract.ts\n`);
    process.exitCode = 1;
  }
}
