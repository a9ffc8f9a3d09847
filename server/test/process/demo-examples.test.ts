import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { operations } from '@majlis/contract';
import type { AnyJson } from '@majlis/testing/json';
import { makeFolder, startProcess } from '@majlis/testing/start-process';

describe('the reference of a demo', () => {
  let url: string;
  let key: string;
  let document: AnyJson;

  before(async () => {
    const env = { DATA_DIR: await makeFolder(), PORT: '0', SIMULATOR_PORT: '0' };
    const majlis = startProcess('bin/majlis.js', ['dev', '--quiet-customers'], { env });
    url = (await majlis.says(/Majlis is ready at (http:\S+)$/m))[1]!;
    key = (await majlis.says(/Demo API key\s+(\S+)$/m))[1]!;
    document = await (await fetch(`${url}/openapi.json`)).json();
  });

  // In the order of the page, on one demo: what an example deletes, no later one needs.
  for (const { id, method, path } of Object.values(operations)) {
    it(`has an example that works as printed: ${id}`, async () => {
      const described = document.paths[path][method.toLowerCase()];
      const successes = Object.keys(described.responses).filter((status) => status.startsWith('2'));
      const { request, query } = composeExample(described, path);
      const response = await fetch(`${url}${request}${query}`, {
        method,
        headers: { authorization: `Bearer ${key}` },
        ...composeBody(described.requestBody?.content, key),
      });
      assert.ok(
        successes.includes(String(response.status)),
        `${method} ${request}: ${response.status} ${await response.clone().text()}`,
      );
    });
  }
});

interface Parameter {
  name: string;
  in: string;
  example?: unknown;
}

function composeExample({ parameters = [] }: { parameters?: Parameter[] }, path: string) {
  const examples = parameters.filter(({ example }) => example !== undefined);
  const valuesIn = (place: string) =>
    examples.filter((one) => one.in === place).map(({ name, example }): [string, string] => [name, String(example)]);
  const request = valuesIn('path').reduce((text, [name, value]) => text.replace(`{${name}}`, value), path);
  return { request, query: `?${new URLSearchParams(valuesIn('query'))}` };
}

function composeBody(content: AnyJson, key: string): RequestInit {
  const authorization = `Bearer ${key}`;
  if (content?.['multipart/form-data']) {
    const body = new FormData();
    body.set('file', new Blob(['%PDF-1.4\n%%EOF\n'], { type: 'application/pdf' }), 'receipt.pdf');
    return { body };
  }
  const example = content?.['application/json']?.example;
  if (example === undefined) return {};
  return { headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(example) };
}
