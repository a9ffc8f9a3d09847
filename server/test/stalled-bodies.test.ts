import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { within } from '@majlis/testing/cleanup';
import { drip } from '@majlis/testing/drip';
import { eventually } from '@majlis/testing/eventually';
import { openRequest } from '@majlis/testing/open-request';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { BODIES_IN_FLIGHT_BYTES: '400000' } });
const workspace = await majlis.workspace();

describe('a stranger at the door of the platform', () => {
  const length = 90_000;
  const common = [
    'POST /platform/chatapp/webhook HTTP/1.1',
    'Content-Type: application/json',
    `X-Hub-Signature-256: sha256=${'0'.repeat(64)}`,
    'Connection: close',
  ];
  const head = [...common, `Content-Length: ${length}`];
  const post = async (from: string) => {
    const { socket, ended } = await openRequest(majlis.url, head, { from });
    socket.write('x'.repeat(length));
    return within(ended, 60_000, 'the stranger is answered');
  };

  it('holds no more than its share of the bodies in flight, and leaves room for others', async () => {
    const stalled = await openRequest(majlis.url, head);
    await eventually(
      () => post('127.0.0.1'),
      (answer) => /^HTTP\/1.1 503 /.test(answer),
    );
    assert.match(await post('127.0.0.2'), /^HTTP\/1.1 401 /);
    // One leaves while it waits for room.
    const impatient = await openRequest(majlis.url, head);
    await pause(200);
    impatient.socket.destroy();
    await pause(200);
    stalled.socket.destroy();
    await eventually(
      () => post('127.0.0.1'),
      (answer) => /^HTTP\/1.1 401 /.test(answer),
    );
  });

  it('who does not tell the size of a body holds room for the largest', async () => {
    const stalled = await openRequest(majlis.url, [...common, 'Transfer-Encoding: chunked']);
    await eventually(
      () => post('127.0.0.1'),
      (answer) => /^HTTP\/1.1 503 /.test(answer),
    );
    stalled.socket.destroy();
    await eventually(
      () => post('127.0.0.1'),
      (answer) => /^HTTP\/1.1 401 /.test(answer),
    );
  });
});

describe('a body that a browser does not end', () => {
  for (const [door, path] of [
    ['the console', '/sign-in'],
    ['people', `/workspaces/${workspace.id}/contacts/import`],
  ] as const) {
    it(`holds its share of the bodies in flight at the door of ${door}`, async () => {
      const owner = await joinWorkspace(majlis, workspace);
      const stalled = await openRequest(majlis.url, [
        `POST /console/v1${path} HTTP/1.1`,
        `Cookie: ${[...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`,
        'Sec-Fetch-Site: same-origin',
        'Content-Type: application/json',
        'Content-Length: 60000',
      ]);
      const post = async () => (await owner.post(path, { contacts: 'x'.repeat(60_000) })).status;
      await eventually(post, (status) => status === 503);
      stalled.socket.destroy();
      await eventually(post, (status) => status === 422);
    });
  }
});

describe('an upload', () => {
  it('that drips below the least rate is ended, and leaves no file', async () => {
    const { socket, ended } = await openRequest(majlis.url, [
      'POST /v1/media HTTP/1.1',
      `Authorization: Bearer ${workspace.key}`,
      'Content-Type: multipart/form-data; boundary=part',
      'Content-Length: 1000000',
    ]);
    socket.write('--part\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
    const dripping = drip(() => socket.write('x'.repeat(100)), 200);
    const answer = await within(ended, 60_000, 'the upload is ended');
    dripping.stop();
    assert.match(answer, /^HTTP\/1.1 422 /);
    assert.match(answer, /arrived too slowly/);
    assert.deepEqual(await majlis.sql('select from media'), []);
  });
});
