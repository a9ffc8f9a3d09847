import assert from 'node:assert/strict';
import { beforeEach, describe, it, mock } from 'node:test';

// Read by their addresses, because what runs in a browser is checked with other types. A page is there before its scripts.
const document = { visibilityState: 'visible', addEventListener() {} };
const reported: unknown[] = [];
Object.assign(globalThis, { document, reportError: (error: unknown) => reported.push(error) });
const read = (file: string) => import(new URL(file, import.meta.url).href);
const { createFollowed } = await read('./followed.ts');
const { Failure } = await read('./request.ts');
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a followed value', () => {
  beforeEach(() => mock.timers.reset());

  it('is read again after a failed reading, in the time that the service names or in 2 seconds', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const answers = [new Failure('network'), new Failure('rate_limited', new Map(), 5), 'read'];
    let readings = 0;
    const followed = createFollowed(async () => {
      const answer = answers[readings++];
      if (answer instanceof Failure) throw answer;
      return answer;
    });
    const errors: unknown[] = [];
    followed.subscribe(() => errors.push(followed.get().error?.code));
    await turn();
    for (const [ms, count] of [
      [1_999, 1],
      [1, 2],
      [4_999, 2],
      [1, 3],
      [60_000, 3],
    ] as const) {
      mock.timers.tick(ms);
      await turn();
      assert.equal(readings, count, `after ${ms} ms more`);
    }
    assert.deepEqual(errors, ['network', 'rate_limited', undefined]);
    assert.equal(followed.get().data, 'read');
  });

  it('is read again after a fault of its own reading, which the browser logs', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const fault = new TypeError('answer.data is undefined');
    let readings = 0;
    const followed = createFollowed(async () => {
      if (readings++ === 0) throw fault;
      return 'read';
    });
    followed.subscribe(() => {});
    await turn();
    assert.deepEqual([followed.get().error.code, reported], ['internal_server_error', [fault]]);
    mock.timers.tick(2_000);
    await turn();
    assert.equal(followed.get().data, 'read');
  });

  it('that a person asks for again after a failure is read at once', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let readings = 0;
    const followed = createFollowed(async () => {
      if (readings++ === 0) throw new Failure('network');
      return 'read';
    });
    followed.subscribe(() => {});
    await turn();
    followed.refetch();
    await turn();
    assert.deepEqual([readings, followed.get()], [2, { data: 'read', error: undefined }]);
  });

  it('that nobody shows is not read', async () => {
    let readings = 0;
    const followed = createFollowed(async () => ++readings);
    followed.invalidate();
    await turn();
    assert.equal(readings, 0);
  });
});
