import { test } from 'node:test';
import { sections } from './sections.ts';

// One section of the proofs as a program: `run-section.ts NAME SEED COUNT quick|full`.
const [name = '', seed, count, form] = process.argv.slice(2);
const section = sections[name];
if (!section) throw new Error(`no section is called ${name}`);
const log = (text: string) => void process.stdout.write(`${text}\n`);

await test(name, async () => {
  log(`${name}: seed ${seed}, ${count}`);
  const faults = await section.run({
    seed: Number(seed),
    count: Number(count),
    quick: form === 'quick',
    log: (text) => log(`  ${text}`),
  });
  for (const fault of faults) log(`  ${fault}`);
  if (faults.length > 0) throw new Error(`${faults.length} against it, with seed ${seed}; first: ${faults[0]}`);
  log(`${name}: holds`);
});
