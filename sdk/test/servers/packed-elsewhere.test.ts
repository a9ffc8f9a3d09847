import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { installNode } from '@majlis/testing/install-node';
import { installPackedClient, tryPrograms } from '@majlis/testing/packed-client';
import { startTestService } from '@majlis/testing/start-test-service';

const run = promisify(execFile);
const folder = await installPackedClient();
const majlis = await startTestService();

describe('the packed client runs', () => {
  for (const version of ['20.20.2', '22.23.3']) {
    it(`on Node.js ${version}`, async () => tryPrograms(majlis, await installNode(version), folder));
  }
});

const source = `
import { ApiError, ConflictError, GoneError, Majlis, type MajlisEvent, type Message, RateLimitedError } from '@majlis/sdk';
import { unwrap } from '@majlis/sdk/webhooks';

export async function use(majlis: Majlis, request: { headers: Record<string, string | string[] | undefined> }) {
  const message: Message = await majlis.messages.send({ kind: 'text', to: '+968', body: undefined }, { idempotencyKey: 'x' });
  // @ts-expect-error a kind that nobody sends
  await majlis.messages.send({ kind: 'fax' });
  // @ts-expect-error an operation that takes no key
  await majlis.conversations.assign('cv_1', {}, { idempotencyKey: 'x' });
  // @ts-expect-error a member that is not there
  message.text;
  for await (const contact of majlis.contacts.list({ limit: 5 })) contact.identities[0]?.identifier.trim();
  const { data, response, requestId } = await majlis.contacts.get('ct_1').withResponse();
  const event: MajlisEvent = await unwrap('', request.headers, ['whsec_']);
  if (event.type === 'message.status_updated') event.data.message.status.trim();
  else if (event.type === 'template.status_updated') event.data.template.name.trim();
  try {
    for await (const one of majlis.events.follow({ types: ['message.received'] })) one.id.trim();
  } catch (error) {
    if (error instanceof GoneError || error instanceof RateLimitedError) return error.retryAfter_seconds;
    if (error instanceof ConflictError && error.code === 'window_closed') return 1;
    // @ts-expect-error a code of another status
    if (error instanceof ConflictError && error.code === 'not_found') return 1;
    if (error instanceof ApiError) return error.requestId?.length;
  }
  return [data.vip, response.headers, requestId, await (await majlis.media.download('med_1')).arrayBuffer()];
}
`;
const strict = { strict: true, noEmit: true, skipLibCheck: false, exactOptionalPropertyTypes: true };
const settings = {
  ...strict,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  target: 'es2022',
};
const projects = {
  'Node.js': { ...settings, module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022'], types: ['node'] },
  'a bundler': { ...settings, module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] },
};

describe('the types of the packed client hold in strict projects', () => {
  for (const version of ['5.9.3', '6.0.3', '7.0.2']) {
    it(`of TypeScript ${version}`, async () => {
      const tools = path.join(folder, `typescript-${version}`);
      await mkdir(tools);
      await writeFile(path.join(tools, 'package.json'), '{ "private": true, "type": "module" }');
      const packages = [`typescript@${version}`, '@types/node@20'];
      await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: tools });
      await writeFile(path.join(tools, 'use.ts'), source);
      for (const compilerOptions of Object.values(projects)) {
        await writeFile(path.join(tools, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
        const tsc = path.join(tools, 'node_modules/typescript/bin/tsc');
        await run(process.execPath, [tsc, '-p', tools], { cwd: tools }).catch(({ stdout }) => {
          throw new Error(stdout);
        });
      }
    });
  }
});
