import { EventEmitter } from 'node:events';
import {
  type Delays,
  defaultDelays,
  defaultSwitches,
  type NumberOptions,
  type SimulatorOptions,
  type Switches,
  silentDelays,
  type WebhookOptions,
} from '../options.ts';
import type { GraphTemplate } from '../templates/graph-template.ts';
import type { Delivery } from '../webhooks/deliveries.ts';
import { type Chats, makeChats } from './chats.ts';
import { type Customers, makeCustomers } from './customers.ts';
import { type Ledger, makeLedger } from './ledger.ts';
import { type MediaStore, makeMediaStore } from './media-store.ts';
import type { Chat, ChatMessage } from './message.ts';
import { type Messages, makeMessages } from './messages.ts';
import { type BusinessAccount, type BusinessNumber, makeAccount, makeNumber } from './number.ts';
import { makeRandom, type Rng } from './random.ts';
import { makeTimers, type Timers } from './timers.ts';

const defaultKeep = 20_000;

export type OtherChange = 'numbers' | 'templates' | 'settings' | 'reset';

type Changes = { message: [ChatMessage]; conversation: [Chat]; delivery: [Delivery]; other: [OtherChange] };

/** A resumable upload with the bytes received so far. */
export type ResumableUpload = { id: string; file_type: string; length: number; bytes: Buffer };

/** The platform's state, which the other modules read and change. */
export type World = {
  numbers: Map<string, BusinessNumber>;
  accounts: Map<string, BusinessAccount>;
  /** Numbers by access token. */
  tokens: Map<string, BusinessNumber[]>;
  templates: Map<string, GraphTemplate>;
  messages: Messages;
  conversations: Chats;
  customers: Customers;
  media: MediaStore;
  /** Incomplete resumable uploads, and the handles of complete ones. */
  uploads: Map<string, ResumableUpload>;
  handles: Set<string>;
  ledger: Ledger;
  delays: Delays;
  switches: Switches;
  webhook: WebhookOptions | undefined;
  random: Rng;
  timers: Timers;
  /** The platform's time in milliseconds: real time plus the moves of the control API. */
  now(): number;
  moveClock(ms: number): void;
  /** Changes for the page. */
  changes: EventEmitter<Changes>;
  /** The base of media addresses, set once the server listens. */
  url: string;
  version: string;
};

export function makeWorld(options: SimulatorOptions): World {
  const realNow = options.now ?? Date.now;
  let offset = 0;
  const changes = new EventEmitter<Changes>();
  changes.setMaxListeners(0);
  return {
    numbers: new Map(),
    accounts: new Map(),
    tokens: new Map(),
    templates: new Map(),
    messages: makeMessages(options.keep ?? defaultKeep),
    conversations: makeChats(options.keep ?? defaultKeep),
    customers: makeCustomers(),
    media: makeMediaStore(options.keep_media_bytes ?? 256 * 1024 * 1024),
    uploads: new Map(),
    handles: new Set(),
    ledger: makeLedger(),
    delays: options.delays === null ? silentDelays : { ...defaultDelays, ...options.delays },
    switches: { ...defaultSwitches, ...options.switches },
    webhook: options.webhook,
    random: makeRandom(options.seed),
    timers: makeTimers(),
    now: () => realNow() + offset,
    moveClock(ms) {
      offset += ms;
    },
    changes,
    url: '',
    version: options.version ?? 'v24.0',
  };
}

/** Adds or replaces a number; its chats stay. */
export function addNumber(world: World, options: NumberOptions): BusinessNumber {
  const number = makeNumber(options);
  world.numbers.set(number.phone_number_id, number);
  if (!world.accounts.has(number.waba_id)) world.accounts.set(number.waba_id, makeAccount(number.waba_id));
  refreshTokens(world);
  world.changes.emit('other', 'numbers');
  return number;
}

export function removeNumber(world: World, phone_number_id: string): boolean {
  const known = world.numbers.delete(phone_number_id);
  world.conversations.remove(phone_number_id);
  refreshTokens(world);
  world.changes.emit('other', 'numbers');
  return known;
}

/** Call this after a number is added, removed or changes its token. */
export function refreshTokens(world: World): void {
  world.tokens.clear();
  for (const account of world.accounts.values()) account.tokens.clear();
  for (const number of world.numbers.values()) {
    world.accounts.get(number.waba_id)?.tokens.add(number.access_token);
    const same = world.tokens.get(number.access_token);
    if (same === undefined) world.tokens.set(number.access_token, [number]);
    else same.push(number);
  }
}
