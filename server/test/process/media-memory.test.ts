import assert from 'node:assert/strict';
import { request } from 'node:http';
import { before, describe, it } from 'node:test';
import { type Simulator, startSimulator } from '@majlis/simulator';
import { cleanUp } from '@majlis/testing/cleanup';
import { processMemory } from '@majlis/testing/process-memory';
import { makeFolder, type Process, startProcess } from '@majlis/testing/start-process';

const mebibyte = 1_048_576;

describe('majlis serve, for a file of 100 MB', () => {
  let simulator: Simulator;
  let running: Process;
  let url: string;
  let key: string;

  before(async () => {
    simulator = await startSimulator({ port: 0 });
    cleanUp('the simulator', () => simulator.close());
    const env = {
      ...{ DATA_DIR: await makeFolder(), PORT: '0', CHATAPP_API_URL: simulator.api_url, LOG_LEVEL: 'warn' },
      OPERATOR_TOKEN: 'operator-token-of-the-tests',
    };
    running = startProcess('bin/majlis.js', ['serve'], { env });
    [, url = ''] = await running.says(/^Majlis is ready at (http:\S+)$/m);
    const response = await fetch(`${url}/operator/workspaces`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${env.OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ workspace: { name: 'Acme', country: 'OM' }, api_keys: [{ name: 'backend' }] }),
    });
    const applied = (await response.json()) as { api_keys: { key: string }[] };
    key = applied.api_keys[0]!.key;
    // What the first requests load is there whatever a file weighs.
    await upload(1);
    await download((await upload(1)).id);
  });

  /** Writes a document of so many MB, a piece at a time. */
  function upload(size: number): Promise<{ id: string }> {
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4\n';
    const piece = Buffer.alloc(mebibyte, 0xa5);
    return new Promise((resolve, reject) => {
      const call = request(`${url}/v1/media`, { method: 'POST' }, async (response) => {
        const text = Buffer.concat(await Array.fromAsync(response)).toString();
        if (response.statusCode === 201) resolve(JSON.parse(text));
        else reject(new Error(text));
      });
      call.on('error', reject);
      call.setHeader('authorization', `Bearer ${key}`);
      call.setHeader('content-type', 'multipart/form-data; boundary=x');
      call.write(head);
      let left = size;
      const more = () => {
        for (; left > 1; left--) {
          if (!call.write(piece)) {
            left--;
            return void call.once('drain', more);
          }
        }
        call.write(piece.subarray(9));
        call.end('\r\n--x--\r\n');
      };
      more();
    });
  }

  async function download(id: string): Promise<number> {
    const response = await fetch(`${url}/v1/media/${id}`, { headers: { authorization: `Bearer ${key}` } });
    let bytes = 0;
    for await (const chunk of response.body!) bytes += (chunk as Uint8Array).length;
    return bytes;
  }

  /**
   * The MB that `work` adds at its highest point. The collector leaves garbage at times, and a busy machine more of it, but a
   * file that is held in memory is there each time: the least of several runs counts.
   */
  async function measure(work: () => Promise<unknown>): Promise<number> {
    const memory = processMemory(running.child.pid!);
    const added: number[] = [];
    do {
      await memory.forgetPeak();
      const before = await memory.now();
      await work();
      added.push((await memory.peak()) - before);
    } while (added.at(-1)! > 30 && added.length < 5);
    return Math.min(...added);
  }

  it('adds no more than 30 MB of memory to take it, nor to give it back', async () => {
    let id = '';
    const taken = await measure(async () => {
      ({ id } = await upload(100));
    });
    assert.ok(taken <= 30, `${taken} MB more to take it`);
    const given = await measure(async () => assert.equal(await download(id), 100 * mebibyte));
    assert.ok(given <= 30, `${given} MB more to give it back`);
  });
});
