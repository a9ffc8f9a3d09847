import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { bearerOf } from '../../test/test-simulator.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../index.ts';

const folder = await mkdtemp(join(tmpdir(), 'simulator-'));
cleanUp('the folder', () => rm(folder, { recursive: true }));

const number = { phone_number_id: '1', waba_id: '2', display_phone: '1', verified_name: 'A', access_token: 't' };
async function start(name: string, options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const simulator = await startSimulator({ port: 0, numbers: [number], state_file: join(folder, name), ...options });
  cleanUp('a simulator', () => simulator.close());
  return simulator;
}
const chat = async (simulator: Simulator) =>
  (await fetch(`${simulator.url}/control/conversations/1/96891234567`, { headers: bearerOf(simulator) })).json();

test('brings chats, names and open windows back after a restart', async () => {
  const first = await start('state.json');
  first.inject({ phone_number_id: '1', from: '96891234567', name: 'Salma', type: 'text', content: 'Hi' });
  const before = await chat(first);
  await first.close();
  const second = await start('state.json');
  assert.deepEqual(await chat(second), before);
  await second.close();
});

test('starts empty from a file that it cannot read', async () => {
  await writeFile(join(folder, 'broken.json'), '{"messages":');
  const simulator = await start('broken.json');
  assert.equal(((await chat(simulator)) as { window_open: boolean }).window_open, false);
  await simulator.close();
});

test('brings templates back as they were reviewed, and keeps what was deleted away', async () => {
  const template = (name: string) => ({
    waba_id: '2',
    name,
    language: 'en',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: name }],
  });
  const templates = [template('kept'), template('deleted')];
  const startWith = () => start('templates.json', { templates });
  const list = async (simulator: Simulator) =>
    (await fetch(`${simulator.url}/control/templates`, { headers: bearerOf(simulator) })).json() as Promise<
      { id: string }[]
    >;

  const first = await startWith();
  const [kept] = await list(first);
  const options = { headers: { authorization: 'Bearer t', 'content-type': 'application/json' } };
  await fetch(`${first.api_url}/2/message_templates?name=deleted`, { ...options, method: 'DELETE' });
  await fetch(`${first.url}/control/templates/${kept!.id}`, {
    method: 'PATCH',
    headers: { ...bearerOf(first), 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'PAUSED', quality: 'RED' }),
  });
  const before = await list(first);
  await first.close();
  const second = await startWith();
  assert.deepEqual(await list(second), before);
  assert.equal(before.length, 1);
  await second.close();
});
