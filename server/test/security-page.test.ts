import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

const root = new URL('../../', import.meta.url);

it('docs/security.md names files that exist, and a test for each rule', () => {
  const page = readFileSync(new URL('docs/security.md', root), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| [TB]\d+ \|/.test(line));
  const numbers = rows.map((row) => row.split('|')[1]!.trim());
  assert.deepEqual(
    numbers.filter((number) => number.startsWith('T')),
    Array.from({ length: 27 }, (_, n) => `T${n + 1}`),
  );
  for (const row of rows) {
    const files = [...row.matchAll(/`([\w./-]+\/[\w./-]+\.ts)`/g)].map(([, file]) => file!);
    for (const file of files) assert.ok(existsSync(new URL(file, root)), `${file} of ${row}`);
    const isEmpty = row.startsWith('| T11 |');
    assert.ok(isEmpty || files.some((file) => file.endsWith('.test.ts')), `no test in ${row}`);
  }
});
