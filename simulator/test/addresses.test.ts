import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { startSimulator } from '../src/index.ts';

for (const host of ['127.0.0.1', '0.0.0.0', '::1', '::']) {
  it(`tells an address that a client can use where it listens on ${host}`, async (t) => {
    const simulator = await startSimulator({ port: 0, host }).catch((error) => {
      const isMissing = host.includes(':') && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(error.code);
      if (isMissing) return t.skip('this machine has no IPv6');
      throw error;
    });
    if (!simulator) return;
    cleanUp('the simulator', () => simulator.close());
    assert.equal((await fetch(simulator.url)).status, 200);
  });
}
