import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { within } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment, type FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startFaultService } from '@majlis/testing/faults/fault-workspace';
import type { RestartableService } from '@majlis/testing/faults/restartable-service';
import { onceWithin } from '@majlis/testing/once-within';
import { rawRequest } from '@majlis/testing/raw-request';
import type { SeededRandom } from '@majlis/testing/seeded-random';
import { malformedForms } from './malformed-forms.ts';
import type { ProofRun } from './section.ts';

const mebibyte = 1_048_576;
const parallel = 20;
/** What so many uploads at once may add to the memory of an idle service, in MB. */
const mostGrowthMb = 64;
const mostUploadMs = 120_000;

interface Site {
  environment: FaultEnvironment;
  majlis: RestartableService;
  key: string;
}

/** Large files at once, files that break off, and bodies that are no forms: memory stays bounded, and nothing is left. */
export async function proveUploads({ seed, count, quick, log }: ProofRun): Promise<string[]> {
  const environment = await createFaultEnvironment({ seed });
  const { majlis, key } = await startFaultService(environment);
  const site = { environment, majlis, key };
  await upload(site, 1);
  const open = await openFiles(majlis);
  const idle = await peakMb(majlis);

  const size = quick ? 12 : 100;
  const faults: string[] = [];
  const replies = await Promise.all(Array.from({ length: parallel }, () => upload(site, size)));
  const growth = Math.round((await peakMb(majlis)) - idle);
  log(
    `${parallel} × ${size} MB at once: the service's memory grew by ${growth} MB at most, from ${Math.round(idle)} MB`,
  );
  if (growth > mostGrowthMb) faults.push(`memory grew by ${growth} MB`);
  for (const { status, id } of replies) if (status !== 201 || !id) faults.push(`an upload was answered ${status}`);
  if ((await digestOf(site, replies[0]!.id)) !== digest(size)) faults.push('a file came back with other bytes');

  const stored = await countFiles(site);
  await abort(site, count);
  const answers = await sendMalformed(site);
  log(`${count} broke off; ${answers.length} malformed bodies were answered ${[...new Set(answers)].sort()}`);
  if (answers.some((status) => status < 400 || status >= 500)) faults.push(`malformed bodies were answered ${answers}`);
  await eventually(
    async () => ({ incoming: await incoming(site), open: await openFiles(majlis) }),
    (left) => left.incoming === 0 && left.open <= open + 10,
    30_000,
  );
  if ((await countFiles(site)) !== stored) faults.push('what broke off has a row');
  if (!majlis.isRunning() || majlis.stderr() !== '') faults.push(`the process: ${majlis.stderr()}`);
  return faults;
}

const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
const end = '\r\n--x--\r\n';
const start = Buffer.from('%PDF-1.4\n');
const piece = Buffer.alloc(mebibyte, 0xa5);

/** A document of so many MB, a piece at a time. */
async function upload({ majlis, key }: Site, size: number): Promise<{ status: number; id: string }> {
  const call = openUpload(majlis.url, key);
  const answered = onceWithin(call, 'response', mostUploadMs);
  // It fails in the middle of a wait for `drain` as well.
  answered.catch(() => {});
  call.write(head);
  call.write(Buffer.concat([start, piece.subarray(start.length)]));
  for (let n = 1; n < size; n++) if (!call.write(piece)) await onceWithin(call, 'drain', mostUploadMs);
  call.end(end);
  const [response] = await answered;
  const body = Array.fromAsync(response as AsyncIterable<Buffer>);
  const text = Buffer.concat(await within(body, mostUploadMs, 'the body of the answer to an upload')).toString();
  return { status: response.statusCode, id: JSON.parse(text).id };
}

function openUpload(url: string, key: string) {
  const call = request(`${url}/v1/media`, { method: 'POST', agent: false });
  call.setHeader('authorization', `Bearer ${key}`);
  call.setHeader('content-type', 'multipart/form-data; boundary=x');
  return call;
}

function digest(size: number): string {
  const hash = createHash('sha256').update(start).update(piece.subarray(start.length));
  for (let n = 1; n < size; n++) hash.update(piece);
  return hash.digest('hex');
}

async function digestOf({ majlis, key }: Site, id: string): Promise<string> {
  const response = await fetch(`${majlis.url}/v1/media/${id}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(mostUploadMs),
  });
  const hash = createHash('sha256');
  for await (const chunk of response.body!) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

/** Files whose sender goes away after some bytes, ten at a time. */
async function abort({ environment, majlis, key }: Site, count: number): Promise<void> {
  let left = count;
  const sender = async () => {
    while (left-- > 0) await breakOff(majlis.url, key, environment.random);
  };
  await Promise.all(Array.from({ length: 10 }, sender));
}

async function breakOff(url: string, key: string, random: SeededRandom): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  const lines = ['POST /v1/media HTTP/1.1', `Host: ${hostname}`, `Authorization: Bearer ${key}`];
  const body = Buffer.concat([Buffer.from(head), start, piece]);
  lines.push('Content-Type: multipart/form-data; boundary=x', `Content-Length: ${body.length + end.length}`, '', '');
  socket.write(lines.join('\r\n'));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const sent = new Promise((resolve) => socket.write(body.subarray(0, random.between(0, body.length)), resolve));
  await within(Promise.race([sent, closed]), mostUploadMs, 'the bytes of an upload that breaks off');
  if (random.next() < 0.5) socket.resetAndDestroy();
  else socket.destroy();
}

async function sendMalformed({ environment, majlis, key }: Site): Promise<number[]> {
  const answers: number[] = [];
  for (const { type, body } of malformedForms(environment.random)) {
    const headers = [`Authorization: Bearer ${key}`, `Content-Type: ${type}`, `Content-Length: ${body.length}`];
    answers.push((await rawRequest(majlis.url, 'POST /v1/media', headers, body)).status);
  }
  return answers;
}

async function countFiles({ environment }: Site): Promise<number> {
  return (await environment.sql<{ count: number }>('select count(*)::int from media'))[0]!.count;
}

async function incoming({ environment }: Site): Promise<number> {
  return (await readdir(path.join(environment.data_dir, 'media', 'incoming'))).length;
}

async function openFiles(majlis: RestartableService): Promise<number> {
  return (await readdir(`/proc/${majlis.pid()}/fd`)).length;
}

async function peakMb(majlis: RestartableService): Promise<number> {
  return Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${majlis.pid()}/status`, 'utf8'))![1]) / 1024;
}
