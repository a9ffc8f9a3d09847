import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { createApi } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import { freePort } from '@majlis/testing/free-port';
import { newDigits } from '@majlis/testing/messages';
import { openStream } from '@majlis/testing/open-stream';
import { openBrowser, password } from '@majlis/testing/people';
import { launchProgram, runProgram } from '@majlis/testing/run-program';
import { makeFolder } from '@majlis/testing/start-process';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';

// The configurations of deploy/, with other ports, names and certificates.
const deploy = (name: string) => fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url));
const majlis = await startTestService({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
const workspace = await majlis.workspace();

interface Proxy {
  url: string;
  plain: string;
}

async function startNginx(): Promise<Proxy> {
  const folder = await makeFolder();
  const [port, plainPort] = [await freePort(), await freePort()];
  const [certificate, key] = [path.join(folder, 'fullchain.pem'), path.join(folder, 'privkey.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate];
  assert.equal((await runProgram('openssl', [...made, ...subject])).code, 0);
  trust(await readFile(certificate, 'utf8'));
  const site = (await readFile(deploy('nginx.conf'), 'utf8'))
    .replaceAll('majlis.example.com;', 'localhost;')
    .replaceAll('/etc/letsencrypt/live/majlis.example.com', folder)
    .replace('127.0.0.1:8080', new URL(majlis.url).host)
    .replaceAll(/listen (\[::\]:)?443/g, `listen $1${port}`)
    .replaceAll(/listen (\[::\]:)?80;/g, `listen $1${plainPort};`);
  const file = path.join(folder, 'nginx.conf');
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`);
  await writeFile(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}\nhttp { access_log off; ${kept.join(' ')}\n${site}\n}\n`,
  );
  const args = ['-p', folder, '-c', file, '-e', 'stderr'];
  const checked = await runProgram('nginx', [...args, '-t']);
  assert.equal(checked.code, 0, checked.output);
  launchProgram('nginx', args);
  return { url: `https://localhost:${port}`, plain: `http://localhost:${plainPort}` };
}

async function startCaddy(): Promise<Proxy> {
  const folder = await makeFolder();
  const [port, plainPort] = [await freePort(), await freePort()];
  const file = path.join(folder, 'Caddyfile');
  await writeFile(
    file,
    `{\n admin off\n skip_install_trust\n http_port ${plainPort}\n https_port ${port}\n}\nimport ${deploy('Caddyfile')}\n`,
  );
  const env = {
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    MAJLIS_DOMAIN: 'localhost',
    MAJLIS_UPSTREAM: new URL(majlis.url).host,
  };
  const caddy = launchProgram('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env });
  const root = path.join(folder, 'caddy/pki/authorities/local/root.crt');
  trust(
    (await eventually(
      () => readFile(root, 'utf8').catch(() => caddy.child.exitCode !== null && assert.fail(caddy.output())),
      (certificate) => certificate !== false && certificate.includes('END CERTIFICATE'),
    )) as string,
  );
  return { url: `https://localhost:${port}`, plain: `http://localhost:${plainPort}` };
}

const proxies = { nginx: await startNginx(), Caddy: await startCaddy() };

for (const [name, proxy] of Object.entries(proxies)) {
  describe(`behind ${name}, the service`, () => {
    before(() =>
      eventually(
        () => statusOf(proxy.url, '/readyz'),
        (status) => status === 200,
      ),
    );

    it('answers over TLS alone, and says so to browsers', async () => {
      const plain = await fetch(`${proxy.plain}/v1/me`, { redirect: 'manual' });
      assert.equal(plain.status, 308);
      assert.match(plain.headers.get('location')!, /^https:\/\/localhost(:\d+)?\/v1\/me$/);
      const answer = await fetch(`${proxy.url}/v1/me`, { headers: { authorization: `Bearer ${workspace.key}` } });
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('strict-transport-security')!, /^max-age=\d+$/);
    });

    it('keeps the doors of the operator inside', async () => {
      const inside = ['/operator/clock', '/operator', '/metrics', '/%6fperator/clock', '/x/../operator/clock'];
      for (const hidden of inside) {
        const status = await statusOf(proxy.url, hidden);
        assert.equal(status, 404, hidden);
      }
      assert.equal((await majlis.operator('GET', '/clock')).status, 200);
    });

    it('takes a large upload and gives it back', async () => {
      const bytes = Buffer.alloc(30 * 1_048_576, 'majlis ');
      const form = new FormData();
      form.set('file', new Blob([bytes], { type: 'text/plain' }), 'large.txt');
      const authorization = `Bearer ${workspace.key}`;
      const uploaded = await fetch(`${proxy.url}/v1/media`, { method: 'POST', body: form, headers: { authorization } });
      assert.equal(uploaded.status, 201);
      const { id } = (await uploaded.json()) as { id: string };
      const given = await fetch(`${proxy.url}/v1/media/${id}`, { headers: { authorization } });
      assert.ok(bytes.equals(Buffer.from(await given.arrayBuffer())));
    });

    it('streams live events as they happen', async () => {
      const browser = openBrowser(proxy);
      const email = `${name}@acme.example`.toLowerCase();
      const order = { kind: 'invitation', workspace: workspace.applied.workspace.name, email, role: 'owner' };
      const token = (await majlis.operator('POST', '/links', order)).body.link.split('#')[1];
      const joined = await browser.post('/invitations/accept', { token, name: 'Aisha', password });
      assert.equal(joined.status, 200, JSON.stringify(joined.body));
      const stream = await openStream(proxy, browser);
      const { body } = await createApi(proxy.url, workspace.key).post('/messages', {
        to: `+${newDigits()}`,
        ...templateMessage,
      });
      await stream.until(({ kind, message_id }) => kind === 'message' && message_id === body.id);
      stream.cut();
    });

    it('counts what a client says of its address as nothing', async () => {
      const statuses = new Set<number>();
      for (let n = 0; n < 100; n++) {
        const headers = { 'x-forwarded-for': `203.0.113.${n}`, 'content-type': 'application/json' };
        const unsigned = await fetch(`${proxy.url}/platform/chatapp/webhook`, { method: 'POST', headers, body: '{}' });
        statuses.add(unsigned.status);
      }
      assert.ok(statuses.has(429), [...statuses].join());
    });
  });
}

/** Certificates that this process trusts from now on. */
function trust(certificate: string): void {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate]);
}

/** The status of a path that is sent as it is. */
async function statusOf(url: string, sent: string): Promise<number> {
  const answer = await runProgram('curl', ['-sk', '--path-as-is', '-o', '/dev/null', '-w', '%{http_code}', url + sent]);
  return Number(answer.output);
}
