import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';

const openPages = import.meta.resolve('@majlis/testing/open-pages');
const planted = `
import { createServer } from 'node:http';
import { it } from 'node:test';
const { openPages } = await import(${JSON.stringify(openPages)});
const server = createServer((request, answer) => {
  if (request.url === '/endless') return;
  if (request.url === '/refused') answer.statusCode = 503;
  answer.setHeader('content-type', 'text/html').end('<h1>Nothing came</h1>');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = 'http://127.0.0.1:' + server.address().port;
const pages = await openPages({ url });
for (const name of ['passes', 'fails']) {
  it(name, async () => {
    const { page } = await pages.open();
    await page.goto(url + '/' + name);
    await page.evaluate("fetch('/refused').then(() => void fetch('/endless'))");
    await page.waitForRequest(/endless/, { timeout: 1 }).catch(() => {});
    if (name === 'fails') await page.getByText('Something').waitFor({ timeout: 100 });
  });
}
`;

it('a test that fails tells where its page stood, what it asked for and what it showed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'failing-'));
  cleanUp('folder', () => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'planted.test.ts');
  await writeFile(file, planted);
  const output = await new Promise<string>((resolve) => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const options = { env, timeout: 60_000 };
    execFile(process.execPath, ['--test', '--test-force-exit', file], options, (_error, stdout) => resolve(stdout));
  });
  assert.match(output, /the page stood at http:\/\/127\.0\.0\.1:\d+\/fails\n/);
  assert.match(output, /answered: GET \/refused: 503/);
  assert.match(output, /without an answer: GET \/endless/);
  assert.match(output, /heading "Nothing came"/);
  assert.doesNotMatch(output, /stood at \S+\/passes/);
});
