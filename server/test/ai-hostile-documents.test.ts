import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { addKnowledge } from '@majlis/testing/knowledge';
import { makeDocxBomb, makePdf, makePdfBomb, makeXlsxBomb } from '@majlis/testing/make-documents';
import { uploadFile } from '@majlis/testing/media';
import { startTestService } from '@majlis/testing/start-test-service';

// Alone in its process: it measures its memory.

// Packed before the service starts, since it shares this thread.
const bombs: [string, Buffer][] = [
  ['bomb.pdf', makePdfBomb(500)],
  ['paragraphs.docx', makeDocxBomb(60, '<w:p/>')],
  ['large.docx', makeDocxBomb(100, '<w:p/>  ')],
];

const deep = makeDocxBomb(1, '<w:p>');

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const mebibyte = 1_048_576;
const sentence = 'The warranty of wardrobes is ten years.';

async function addFile(bytes: Buffer, filename: string) {
  const media_id = (await uploadFile(majlis, workspace, bytes, { filename })).body.id;
  return addKnowledge(majlis, workspace, { type: 'file', media_id });
}

const readProc = (file: string) => readFile(`/proc/${file}`, 'utf8').catch(() => '');
const kilobytes = (status: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);

/** The processes that extract documents for this one. */
async function listExtractions(): Promise<string[]> {
  const found = (await readdir('/proc'))
    .filter((name) => /^\d+$/.test(name))
    .map(async (pid) => {
      const [status, command] = await Promise.all([readProc(`${pid}/status`), readProc(`${pid}/cmdline`)]);
      const isOurs = status.includes(`PPid:\t${process.pid}\n`) && command.includes('extraction-process');
      return isOurs ? [pid] : [];
    });
  return (await Promise.all(found)).flat();
}

/** The most MB that the extraction took: its child process, and the growth of this process. */
async function measure<T>(task: Promise<T>) {
  const before = process.memoryUsage.rss();
  const peaks = new Map<string, number>();
  const environments = new Set<string>();
  let [growth, parallel, running] = [0, 0, true];
  const watching = (async () => {
    while (running) {
      const pids = await listExtractions();
      parallel = Math.max(parallel, pids.length);
      for (const pid of pids) {
        const [status, environment] = await Promise.all([readProc(`${pid}/status`), readProc(`${pid}/environ`)]);
        peaks.set(pid, kilobytes(status, 'VmHWM') || (peaks.get(pid) ?? 0));
        environments.add(environment);
      }
      growth = Math.max(growth, process.memoryUsage.rss() - before);
      await pause(5);
    }
  })();
  const result = await task.finally(() => {
    running = false;
  });
  await watching;
  return { result, peak_mb: Math.max(...peaks.values()) / 1_024 + growth / mebibyte, parallel, environments };
}

describe('a hostile document', { skip: process.platform !== 'linux' && 'memory is limited on Linux alone' }, () => {
  it('takes at most 100 MB more than a normal one, ends as failed with a reason, and stops no other', async () => {
    await addFile(makePdf([sentence]), 'warm.pdf');
    let normal_mb = 0;
    for (const filename of ['normal.pdf', 'second.pdf', 'third.pdf']) {
      const normal = await measure(addFile(makePdf([sentence]), filename));
      assert.equal(normal.result.status, 'indexed');
      normal_mb = Math.max(normal_mb, normal.peak_mb);
    }
    for (const [filename, bytes] of bombs) {
      assert.ok(bytes.length < 500_000, `${filename} has ${bytes.length} bytes`);
      // The service runs in this process, whose memory grows by its own garbage too. What a document takes, it takes each time.
      let least_mb = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < 5 && least_mb >= normal_mb + 100; tries++) {
        const { result, peak_mb } = await measure(addFile(bytes, filename));
        assert.equal(result.status, 'failed', filename);
        assert.match(
          result.error,
          /^it (takes too much memory to read|is larger than can be read, once it is unpacked)$/,
        );
        least_mb = Math.min(least_mb, peak_mb);
      }
      assert.ok(least_mb < normal_mb + 100, `${filename}: ${least_mb} MB, and ${normal_mb} MB for a normal one`);
    }
    assert.equal((await addFile(makePdf([sentence]), 'after.pdf')).status, 'indexed');
    assert.deepEqual(await listExtractions(), []);
  });
});

describe('a document in a catastrophic shape', () => {
  const shapes: Record<string, string> = {
    'comments before a page': '<!---->'.repeat(290),
    'beginnings of titles': `<html>${'<title'.repeat(1_000_000)}`,
    'beginnings of declared letters': `<html>${'<meta '.repeat(300)}`,
    'spaces in a page': `<html><p>${' '.repeat(5_000_000)}end`,
    'rows of a table': `<html><table>${'<tr><td>Sofas are delivered on Sunday.</td></tr>'.repeat(60_000)}</table>`,
    'columns of one cell': '<html><table><tr><td colspan="100000000">Open at nine.</td></tr></table>',
    'rows of one cell': '<html><table><tr><td rowspan="100000000">Open at nine.</td></tr></table>',
    'ends of sentences': '. '.repeat(900_000),
    'marks of vowels': `a${'\u064b'.repeat(900_000)}`,
  };
  for (const [shape, text] of Object.entries(shapes)) {
    it(`is read before its processor time ends: ${shape}`, async () => {
      const source = await addFile(Buffer.from(text), 'shape.txt');
      if (source.status === 'failed') assert.equal(source.error, 'it has no text');
    });
  }

  it('is read before its processor time ends: one long text in the cells of a sheet', async () => {
    const text = `${' '.repeat(8_000_000)}Open at nine.`;
    assert.equal((await addFile(makeXlsxBomb(20_000, text), 'shape.xlsx')).status, 'indexed');
  });

  it('is read as a text too', async () => {
    for (const text of ['<!---->'.repeat(290), 'a'.repeat(260_000), `a${'\u064b'.repeat(260_000)}`]) {
      assert.equal((await addKnowledge(majlis, workspace, { text })).status, 'indexed');
    }
  });
});

describe('extractions', () => {
  it('know nothing of the settings, and are two at a time at most', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => majlis.workspace()));
    const tasks = others.map(async (other) => {
      const { body } = await uploadFile(majlis, other, makePdf([sentence]), { filename: 'one.pdf' });
      return addKnowledge(majlis, other, { type: 'file', media_id: body.id });
    });
    const { result, parallel, environments } = await measure(Promise.all(tasks));
    assert.deepEqual(new Set(result.map(({ status }) => status)), new Set(['indexed']));
    assert.ok(parallel <= 2, `${parallel} at a time`);
    // The shell of the limits adds its own folder.
    assert.deepEqual(environments.difference(new Set(['', 'PWD=/\0'])), new Set());
  });

  it('with elements inside each other without an end is refused for its depth, before it takes long', async () => {
    const page = Buffer.from(`<html>${'<div>'.repeat(400_000)}${'</span>'.repeat(400_000)}`);
    for (const [filename, bytes] of [['deep.docx', deep] as const, ['deep.html', page] as const]) {
      const { error } = await addFile(bytes, filename);
      assert.equal(error, 'it has more than 1000 elements inside each other', filename);
    }
  });
});
