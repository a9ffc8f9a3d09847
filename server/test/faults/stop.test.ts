import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { cleanUp, within } from '@majlis/testing/cleanup';
import { databaseUrl } from '@majlis/testing/database-url';
import { drip } from '@majlis/testing/drip';
import { eventually } from '@majlis/testing/eventually';
import { assertReconciled } from '@majlis/testing/faults/assert-reconciled';
import { createFaultEnvironment, type FaultEnvironmentOptions } from '@majlis/testing/faults/fault-environment';
import { startFaultService } from '@majlis/testing/faults/fault-workspace';
import { startFaultyProxy } from '@majlis/testing/faults/faulty-proxy';
import { createInterposedEnvironment } from '@majlis/testing/faults/interposed-platform';
import { attemptSend } from '@majlis/testing/faults/keep-sending';
import type { RestartableService } from '@majlis/testing/faults/restartable-service';
import { startLoad } from '@majlis/testing/faults/start-load';
import { startTemporaryPostgres } from '@majlis/testing/faults/temporary-postgres';
import { untilSettled } from '@majlis/testing/faults/until-settled';
import { onceWithin } from '@majlis/testing/once-within';
import { repeatUntil } from '@majlis/testing/repeat-until';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';

// Three at a time: each has a service of its own to start, and the promise is one of seconds.
describe('a service that is told to stop', { concurrency: 3 }, () => {
  it('says so at /readyz, answers what is in flight, and loses nothing under load', async (t) => {
    const environment = await createFaultEnvironment({ embedded: true });
    t.diagnostic(`seed ${environment.random.seed}`);
    const { majlis, workspace } = await startFaultService(environment);
    const load = startLoad(environment, majlis.url, workspace);
    const { sending } = load;
    let isTold = false;
    // The notice is short: on a busy machine not each round sees it.
    for (let round = 0; round < 2 || (!isTold && round < 6); round++) {
      await eventually(
        () => sending.acknowledged.length,
        (count) => count > (round + 1) * 40,
      );
      const probes = probe(majlis.url);
      // The process that starts answers so until it can serve.
      const refused = sending.answers['503 service_unavailable'];
      majlis.signal('SIGTERM');
      assertStopped(await majlis.ended());
      assert.equal(sending.answers['503 service_unavailable'], refused, 'who is answered at all is served');
      isTold ||= (await probes).includes(503);
      await majlis.start();
    }
    assert.ok(isTold);
    t.diagnostic(JSON.stringify({ ...(await load.finish()), answers: sending.answers }));
    const expected = ['201', '503 service_unavailable'];
    const refusals = Object.keys(sending.answers).filter(
      (answer) => !expected.includes(answer) && !/^none /.test(answer),
    );
    assert.deepEqual(refusals, []);
  });

  it('answers a request that the database holds up', async () => {
    const { majlis, environment, workspace } = await serving();
    const { answer, ended } = await whileHeld(environment, 'lock table messages in exclusive mode', async () => {
      const answer = attemptSend(majlis.url, workspace.key, newSend(workspace.customers[0]!));
      await untilWaiting(environment, 1, 'into messages');
      majlis.signal('SIGTERM');
      const ended = majlis.ended();
      await refusing(majlis.url);
      return { answer, ended };
    });
    assert.equal((await answer).status, '201');
    assertStopped(await ended);
  });

  it('ends although a client goes on on the connection that it has', async () => {
    const { majlis, workspace } = await serving();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    cleanUp('the connection of the client', () => agent.destroy());
    const statuses: number[] = [];
    let isOver = false;
    const client = (async () => {
      while (!isOver) statuses.push(await getOn(agent, `${majlis.url}/v1/me`, workspace.key));
    })().catch(() => agent.destroy());
    cleanUp('the client', () => {
      isOver = true;
    });
    await eventually(
      () => statuses.length,
      (count) => count > 20,
    );
    majlis.signal('SIGTERM');
    assertStopped(await majlis.ended());
    await within(client, 30_000, 'the client has lost its connection');
    assert.deepEqual([...new Set(statuses)], [200]);
  });

  it('ends although the platform does not answer, and sends the message never again', async () => {
    const environment = await createInterposedEnvironment();
    const { platform } = environment;
    const env = { PLATFORM_TIMEOUT_SECONDS: '60', LEASE_SECONDS: '70' };
    const { majlis, workspace } = await startFaultService(environment, env);
    const called = new Promise<void>((resolve) => {
      platform.onAccepted = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    const one = newSend(workspace.customers[0]!);
    const { id } = await attemptSend(majlis.url, workspace.key, one);
    await within(called, 30_000, 'the call of the platform');
    majlis.signal('SIGTERM');
    assertStopped(await majlis.ended());
    platform.onAccepted = undefined;
    await majlis.start();
    await untilSettled(environment, majlis.url);
    await assertReconciled(environment, { acknowledged: [{ id: id!, ...one }], written: workspace.inbound });
  });

  it('ends although the database does not answer', async () => {
    const postgres = await startTemporaryPostgres();
    const { connection } = postgres;
    const proxy = await startFaultyProxy(postgres.socket);
    const url = databaseUrl({ ...connection, host: '127.0.0.1', port: proxy.port });
    const { majlis, workspace } = await serving({}, { database: { url, connection } });
    proxy.hang();
    const { answer } = await startSend(majlis.url, workspace.key, newSend(workspace.customers[0]!));
    majlis.signal('SIGTERM');
    assertStopped(await majlis.ended());
    assert.equal(await answer, '503 service_unavailable');
  });

  it('ends although the body of a request never comes to its end', async () => {
    const { majlis, workspace } = await serving();
    const { hostname, port } = new URL(majlis.url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    cleanUp('the request', () => socket.destroy());
    const head = ['POST /v1/messages HTTP/1.1', 'Host: majlis', `Authorization: Bearer ${workspace.key}`];
    const expecting = ['Content-Type: application/json', 'Content-Length: 1000', 'Expect: 100-continue', '', ''];
    socket.write([...head, ...expecting].join('\r\n'));
    await onceWithin(socket, 'data');
    const trickle = drip(() => socket.write(' '), 100);
    majlis.signal('SIGTERM');
    const ended = await majlis.ended();
    trickle.stop();
    assertStopped(ended);
  });
});

async function serving(more: Record<string, string> = {}, options: FaultEnvironmentOptions = {}) {
  const environment = await createFaultEnvironment(options);
  return { environment, ...(await startFaultService(environment, more)) };
}

function assertStopped({ code, signal, after_ms }: Awaited<ReturnType<RestartableService['ended']>>): void {
  assert.deepEqual({ code, signal }, { code: 0, signal: null });
  // A request, a platform call or a silent database would take longer. On a busy machine the 15 s of operating.md are more.
  assert.ok(after_ms < 25_000, `it took ${after_ms} ms`);
}

/** What /readyz answers from now on until nobody listens. */
async function probe(url: string): Promise<number[]> {
  const statuses: number[] = [];
  let isGone = false;
  const ask = async () => {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    isGone = !answer;
    if (answer) statuses.push(answer.status);
    await answer?.text();
  };
  await repeatUntil(() => isGone, ask);
  return statuses;
}

/** Waits until nobody listens any more. */
async function refusing(url: string): Promise<void> {
  const isRefused = (error: { cause?: { code?: string } }) => error.cause?.code === 'ECONNREFUSED';
  await eventually(
    () => fetch(`${url}/healthz`).then(() => false, isRefused),
    (refused) => refused,
  );
}

function newSend(digits: string) {
  return { request: { to: `+${digits}`, kind: 'text', body: randomUUID() }, idempotency_key: randomUUID() };
}

/** A send that the service has begun to read. A service that stops soon takes no connection any more. */
async function startSend(url: string, key: string, send: ReturnType<typeof newSend>) {
  const headers = {
    ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json', expect: '100-continue' },
    'idempotency-key': send.idempotency_key,
  };
  const sent = request(`${url}/v1/messages`, { method: 'POST', headers });
  const answer = onceWithin(sent, 'response', 60_000).then(async ([response]) => {
    const text = Buffer.concat(await Array.fromAsync(response as IncomingMessage)).toString();
    return `${(response as IncomingMessage).statusCode} ${JSON.parse(text).code}`;
  });
  answer.catch(() => {});
  sent.flushHeaders();
  await onceWithin(sent, 'continue');
  sent.end(JSON.stringify(send.request));
  return { answer };
}

/** The status; rejects where the connection fails. */
function getOn(agent: Agent, url: string, key: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode!));
    });
    sent.on('error', reject);
    sent.end();
  });
}
