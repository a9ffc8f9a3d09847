import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeFolder, runMajlis } from '@majlis/testing/start-process';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const envOf = ({ key }: TestWorkspace) => ({ MAJLIS_KEY: key, MAJLIS_URL: majlis.url });

async function writeIn(name: string, content: string): Promise<string> {
  const file = path.join(await makeFolder(), name);
  await writeFile(file, content);
  return file;
}

const numberOf = (at: number) => `+9689${2_000_000 + at}`;

describe('majlis import', () => {
  it('takes a table of any size, and names each row that was not taken', async () => {
    const workspace = await majlis.workspace();
    const rows = Array.from(
      { length: 1_200 },
      (_, at) => `${at === 1_100 ? '12' : numberOf(at)},"Said, Muna ${at}",a;b,yes`,
    );
    const file = await writeIn('contacts.csv', `\ufeffPhone,name,tags,marketing\r\n${rows.join('\r\n')}\r\n`);
    const first = await runMajlis(['import', file, '--json'], { env: envOf(workspace) });
    assert.equal(first.code, 6);
    assert.deepEqual(JSON.parse(first.stdout), {
      created: 1_199,
      updated: 0,
      failed: [{ place: 'row 1102', code: 'invalid_phone' }],
    });
    const [contact] = (await workspace.api.get(`/contacts?q=${encodeURIComponent(numberOf(1_199))}`)).body.data;
    const { name, tags, consents } = contact;
    assert.deepEqual(
      { name, tags, consents },
      { name: 'Said, Muna 1199', tags: ['a', 'b'], consents: { chatapp_marketing: true } },
    );
    const again = await runMajlis(['import', file], { env: envOf(workspace) });
    assert.match(again.stdout, /^created +0\nupdated +1199\nfailed +1\n$/);
    assert.match(again.stderr, /^ {2}row 1102: invalid_phone\nmajlis: 1 of 1200 contacts were not imported\. /);
    // A name of one word in the file, and no other column, leaves the tags as they are.
    const short = await writeIn('short.csv', `phone,name,tags\n${numberOf(1_199)},Muna,\n`);
    assert.equal((await runMajlis(['import', short], { env: envOf(workspace) })).code, 0);
    const [changed] = (await workspace.api.get(`/contacts?q=${encodeURIComponent(numberOf(1_199))}`)).body.data;
    assert.deepEqual([changed.name, changed.tags], ['Muna', ['a', 'b']]);
  });

  it('takes JSON as a list, by lines, and from stdin', async () => {
    const workspace = await majlis.workspace();
    const contacts = [1, 2].map((at) => ({ identities: [{ channel_type: 'chatapp', identifier: numberOf(at) }] }));
    const run = async (file: string, input?: string) =>
      JSON.parse(
        (await runMajlis(['import', file, '--json'], { env: envOf(workspace), ...(input && { input }) })).stdout,
      );
    assert.equal((await run(await writeIn('a.json', JSON.stringify(contacts)))).created, 2);
    const lines = contacts.map((contact) => JSON.stringify(contact)).join('\n');
    assert.equal((await run(await writeIn('a.jsonl', lines))).updated, 2);
    assert.equal((await run('-', lines)).updated, 2);
  });

  it('refuses a file that it cannot read, before it sends anything', async () => {
    const env = { MAJLIS_KEY: 'x', MAJLIS_URL: 'http://127.0.0.1:1' };
    for (const [content, words] of [
      ['name\nMuna\n', /lacks the column phone: the columns are phone, name, email, /],
      ['phone,nmae\n1,2\n', /has the column "nmae": the columns are /],
      ['phone,name\n1,"Muna\n', /is no CSV: /],
      ['{"a":1}\n{', /line 2, is no JSON: /],
    ] as const) {
      const { code, stderr } = await runMajlis(['import', await writeIn('x', content)], { env });
      assert.equal(code, 2);
      assert.match(stderr, words);
    }
  });

  it('shows a bar on a terminal', async () => {
    const workspace = await majlis.workspace();
    const file = await writeIn('contacts.csv', `phone\n${numberOf(1)}\n`);
    const program = fileURLToPath(new URL('../../bin/majlis.js', import.meta.url));
    const line = `"${process.execPath}" "${program}" import "${file}"`;
    const { stdout } = await promisify(execFile)('script', ['-qec', line, '/dev/null'], {
      env: { ...process.env, ...envOf(workspace) },
    });
    assert.match(stdout, /░{24} {2}0 of 1 contacts/);
  });
});

describe('majlis broadcasts create --wait', () => {
  it('ends when all is sent', async () => {
    const workspace = await majlis.workspace();
    const recipients = [1, 2, 3].map((at) => ({ to: numberOf(at), params: ['Muna', 'A-1'] }));
    const args = ['broadcasts', 'create', '--name', 'Orders', '--template', '{"name":"order_update","language":"en"}'];
    const audience = JSON.stringify({ recipients });
    const { code, stdout, stderr } = await runMajlis([...args, '--audience', audience, '--yes', '--wait', '--json'], {
      env: envOf(workspace),
    });
    assert.equal(code, 0, stderr);
    const { status, counts } = JSON.parse(stdout);
    assert.deepEqual([status, counts.total], ['sent', 3]);
  });
});
