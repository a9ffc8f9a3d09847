import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { quotaKinds, readQuotas } from './quotas.ts';
import { readerOf } from './setting-reader.ts';

it('the page for operators names each quota with its settings and defaults', async () => {
  const page = await readFile(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
  const quotas = readQuotas(readerOf({}));
  for (const kind of quotaKinds) {
    const { count, bytes } = quotas[kind];
    const name = kind.toUpperCase();
    const row = page.split('\n').find((line) => line.includes(`\`${name}_MAX\``));
    assert.ok(row?.endsWith(`| \`${name}_MAX\` | \`${count}\` | \`${name}_BYTES_MAX\` | \`${bytes}\` |`), name);
  }
});

it('a quota is what its settings say', () => {
  const { tags, stages } = readQuotas(readerOf({ TAGS_MAX: '7', TAGS_BYTES_MAX: '2048' }));
  assert.deepEqual(tags, { count: 7, bytes: 2_048 });
  assert.equal(stages.count, 500);
  assert.throws(() => readQuotas(readerOf({ TAGS_MAX: '0' })), /^CannotRun: TAGS_MAX is "0"/);
});
