import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { findScript, scripts } from './scripts.ts';

test('names each script once, by six digits', () => {
  assert.equal(new Set(scripts.map((script) => script.suffix)).size, scripts.length);
  assert.equal(new Set(scripts.map((script) => script.name)).size, scripts.length);
  assert.ok(scripts.every((script) => /^\d{6}$/.test(script.suffix)));
});

test('finds a script by the last six digits alone', () => {
  assert.equal(findScript('96891131026')?.name, 'fails_131026');
  assert.equal(findScript('96891310260'), undefined);
});

test('is told in full by the readme', async () => {
  const text = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  // The formatter pads the columns.
  const readme = text.replace(/ +/g, ' ');
  for (const { suffix, name, description } of scripts) {
    assert.ok(readme.includes(`| \`${suffix}\` | \`${name}\` | ${description} |`), `${suffix} is not in the readme`);
  }
});
