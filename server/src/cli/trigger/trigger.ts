import { randomUUID } from 'node:crypto';
import type { EventType } from '@majlis/contract';
import { AbortedError, type Channel, type Majlis, type MajlisEvent } from '@majlis/sdk';
import type { Call, CommonOptions } from '../act.ts';
import { Failure } from '../failure.ts';
import { openClient } from '../open-client.ts';
import { printResult } from '../print-result.ts';
import { askSimulator, findSimulator, type SimulatorDoor } from './simulator.ts';

export interface TriggerOptions extends CommonOptions {
  from: string;
  text: string;
  channel?: string;
  template?: string;
  simulator?: string;
}

interface Stage {
  client: Majlis;
  simulator: SimulatorDoor;
  channel: Channel;
  options: TriggerOptions;
}

type Trigger = (stage: Stage) => Promise<MajlisEvent>;

const triggers: Record<EventType, Trigger> = {
  'message.received': receiveMessage,
  'message.status_updated': updateStatus,
  'template.status_updated': updateTemplate,
};

const longestWait_ms = 30_000;

/** `majlis trigger message.received`: makes the simulator do what leads to the event, and prints the event. */
export async function trigger({ args: [type], options }: Call<TriggerOptions>): Promise<void> {
  const simulator = await findSimulator(options.simulator);
  const { client } = await openClient(options);
  const { data: channels } = await client.channels.list();
  const channel = channels.find(({ id }) => options.channel === undefined || id === options.channel);
  if (!channel)
    throw new Failure('not_found', `The workspace has no channel${options.channel ? ` ${options.channel}` : ''}.`);
  printResult(await triggers[type as EventType]({ client, simulator, channel, options }), options);
}

/** A customer writes. */
function receiveMessage({ client, simulator, channel, options }: Stage): Promise<MajlisEvent> {
  // A text of its own tells the event from those of other customers.
  const content = options.text === '' ? `Hello ${randomUUID().slice(0, 8)}` : options.text;
  const { phone_number_id } = channel;
  return untilEvent(client, 'message.received', {
    act: () =>
      askSimulator(simulator, 'POST', '/inbound', { phone_number_id, from: options.from, type: 'text', content }),
    isIt: (event) => event.type === 'message.received' && event.data.message.body === content,
  });
}

/** The customer's message opens the window. Then the platform reports on the answer. */
async function updateStatus(stage: Stage): Promise<MajlisEvent> {
  const { client } = stage;
  const received = await receiveMessage(stage);
  if (received.type !== 'message.received') throw new Error('not the event that was waited for');
  let sent: string | undefined;
  return untilEvent(client, 'message.status_updated', {
    async act() {
      const answer = { kind: 'text' as const, body: 'Hello' };
      sent = (await client.conversations.sendMessage(received.data.conversation.id, answer)).id;
    },
    isIt: (event) => event.type === 'message.status_updated' && event.data.message.id === sent,
  });
}

/** The platform pauses an approved template. Afterwards it is approved again, as it was. */
async function updateTemplate({ client, simulator, channel, options }: Stage): Promise<MajlisEvent> {
  const all = await askSimulator<{ id: string; waba_id: string; name: string; status: string }[]>(
    simulator,
    'GET',
    '/templates',
  );
  const template = all.find(({ waba_id, name, status }) => {
    return waba_id === channel.waba_id && status === 'APPROVED' && (options.template ?? name) === name;
  });
  if (!template) {
    throw new Failure(
      'not_found',
      `The number has no approved template${options.template ? ` ${options.template}` : ''} at the simulator.`,
    );
  }
  const change = (status: string) => askSimulator(simulator, 'PATCH', `/templates/${template.id}`, { status });
  try {
    return await untilEvent(client, 'template.status_updated', {
      act: () => change('PAUSED'),
      isIt: (event) => event.type === 'template.status_updated' && event.data.template.name === template.name,
    });
  } finally {
    await change('APPROVED');
  }
}

/** Follows the feed from before the act, so that the event is behind its place. */
async function untilEvent(
  client: Majlis,
  type: EventType,
  { act, isIt }: { act(): Promise<unknown>; isIt(event: MajlisEvent): boolean },
): Promise<MajlisEvent> {
  const { next_position } = await client.events.list({ after: 'latest', limit: 1 });
  await act();
  const end = AbortSignal.timeout(longestWait_ms);
  try {
    for await (const event of client.events.follow({ after: next_position, types: [type], signal: end })) {
      if (isIt(event)) return event;
    }
  } catch (error) {
    if (!(error instanceof AbortedError)) throw error;
  }
  throw new Failure('unavailable', `There was no ${type} within ${longestWait_ms / 1000} s.`);
}
