import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '@majlis/testing/eventually';
import { makeFolder, type Process, startProcess } from '@majlis/testing/start-process';
import { stepSchemas } from '../../src/workflows/definition/definition.ts';

const page = await readFile(path.join(import.meta.dirname, '../../../docs/workflows.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1]!);

describe('the page on workflows', () => {
  let DATA_DIR: string;
  let url: string;
  let key: string;
  let majlis: Process;
  let workflow_id: string;

  before(async () => {
    DATA_DIR = await makeFolder();
    majlis = startProcess('bin/majlis.js', ['dev', '--quiet-customers'], {
      env: { DATA_DIR, PORT: '0', SIMULATOR_PORT: '0' },
    });
    url = (await majlis.says(/Majlis is ready at (http:\S+)$/m))[1]!;
    key = (await majlis.says(/Demo API key\s+(\S+)$/m))[1]!;
  });

  for (const [index, yaml] of blocks('yaml').entries()) {
    it(`has a file that can be applied: ${/- name: (.*)/.exec(yaml)![1]}`, async () => {
      const file = path.join(DATA_DIR, `${index}.yaml`);
      await writeFile(file, yaml);
      const apply = startProcess('bin/majlis.js', ['apply', '-f', file, '--json', '--url', url], { env: { DATA_DIR } });
      assert.deepEqual(await apply.ended(), { code: 0, signal: null }, apply.stderr());
      workflow_id ??= JSON.parse(apply.stdout()).workflows[0].id;
    });
  }

  for (const example of blocks('sh').filter((block) => block.startsWith('curl'))) {
    it(`is right about: ${example.split('\n')[0]}`, async () => {
      const command = `${example.trim().replaceAll('http://127.0.0.1:8080', url)} --silent --fail-with-body`;
      const { stdout } = await promisify(execFile)('bash', ['-c', command], {
        env: { ...process.env, MAJLIS_KEY: key, WORKFLOW_ID: workflow_id },
      });
      const answer = JSON.parse(stdout);
      assert.ok(answer.status === 'running' || answer.data.length > 0, stdout);
    });
  }

  it('leaves people in control while the first workflow waits', async () => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const read = (route: string) => fetch(`${url}/v1${route}`, { headers }).then((response) => response.json());
    type List = { data: { id: string; kind: string; contact_handle: string }[] };
    // The customer of the examples. Others may write meanwhile.
    const customer = '+96891234567';
    const { data } = (await read('/conversations')) as List;
    const conversation = data.find(({ contact_handle }) => contact_handle === customer);
    await eventually(
      async () => ((await read(`/conversations/${conversation!.id}/messages`)) as List).data,
      (messages) => messages.some(({ kind }) => kind === 'template'),
    );
    const body = JSON.stringify({ to: customer, kind: 'text', body: 'A person writes.' });
    const answer = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body });
    assert.equal(answer.status, 201, await answer.text());
  });

  it('names every kind of step', () => {
    for (const kind of Object.keys(stepSchemas)) assert.ok(page.includes(`\`${kind}\``), kind);
  });
});
