import { randomBytes } from 'node:crypto';
import { buildSimulatorApp } from './app.ts';
import { type PersonaOptions, playPersonas } from './customer/play-personas.ts';
import { type CustomerMessage, writeMessage } from './customer/write-message.ts';
import { listenerUrl } from './listener-url.ts';
import type { NumberOptions, SimulatorOptions } from './options.ts';
import { addTemplate } from './templates/add-template.ts';
import type { TemplateOptions } from './templates/graph-template.ts';
import { reviewTemplate } from './templates/review-template.ts';
import { makeSender } from './webhooks/sender.ts';
import { keepState } from './world/keep-state.ts';
import type { LedgerEntry } from './world/ledger.ts';
import { addNumber, makeWorld, removeNumber } from './world/world.ts';

export type { Persona, PersonaOptions } from './customer/play-personas.ts';
export type { CustomerMessage } from './customer/write-message.ts';
export type { Delays, NumberOptions, SimulatorOptions, Switches, WebhookOptions } from './options.ts';
export { type Script, scripts } from './scripts.ts';
export type { TemplateOptions } from './templates/graph-template.ts';
export type { LedgerEntry } from './world/ledger.ts';

export type Simulator = {
  /** The address of the page and the control API, for example http://127.0.0.1:8090. */
  url: string;
  /** The bearer token of the control API. */
  control_token: string;
  /** The address of the platform's protocol: `${url}/v24.0`. */
  api_url: string;
  /** Accepted sends in order, with or without an answer to the caller. */
  ledger(): LedgerEntry[];
  /** Adds or replaces a number. */
  addNumber(number: NumberOptions): void;
  removeNumber(phone_number_id: string): void;
  /** Adds a reviewed template. */
  addTemplate(template: TemplateOptions): void;
  /** Sends a customer's message and answers its id. Throws for an unknown number. */
  inject(inbound: CustomerMessage): string;
  /** Lets the customers of a number answer, and write by themselves, until the simulator closes. */
  playPersonas(options: PersonaOptions): void;
  /** Moves the platform's clock. */
  advance(ms: number): void;
  /** The number of planned statuses and of webhooks not answered 200 yet. */
  pending(): number;
  close(): Promise<void>;
};

/** Starts a simulator of the messaging platform. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const world = makeWorld(options);
  const sender = makeSender(world);
  for (const number of options.numbers ?? []) addNumber(world, number);
  for (const template of options.templates ?? []) addTemplate(world, template);

  const saveState = options.state_file === undefined ? undefined : await keepState(world, options.state_file);
  for (const template of world.templates.values()) {
    if (template.status === 'PENDING') reviewTemplate(world, sender, template);
  }
  const { host = '127.0.0.1', control_token = randomBytes(32).toString('base64url') } = options;
  const app = await buildSimulatorApp({ world, sender, host, control_token });
  await app.listen({ port: options.port, host });
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  world.url = listenerUrl(host, port);

  let stopPersonas = () => {};
  return {
    url: world.url,
    control_token,
    api_url: `${world.url}/${world.version}`,
    ledger: () => world.ledger.read((wamid) => world.messages.get(wamid)),
    addNumber: (number) => void addNumber(world, number),
    removeNumber: (phone_number_id) => void removeNumber(world, phone_number_id),
    addTemplate: (template) => void addTemplate(world, template),
    inject(inbound) {
      const number = world.numbers.get(inbound.phone_number_id);
      if (number === undefined) throw new Error(`The simulator has no number ${inbound.phone_number_id}`);
      return writeMessage(world, sender, number, inbound).id;
    },
    playPersonas(play) {
      stopPersonas();
      stopPersonas = playPersonas(world, sender, play);
    },
    advance: (ms) => world.moveClock(ms),
    pending: () => world.timers.pending() + sender.pending(),
    async close() {
      stopPersonas();
      world.timers.clear();
      await sender.close();
      await app.close();
      // Calls under way may have planned statuses.
      world.timers.clear();
      await saveState?.();
    },
  };
}
