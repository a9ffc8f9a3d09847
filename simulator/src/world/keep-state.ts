import { readFile, rename, writeFile } from 'node:fs/promises';
import type { GraphTemplate } from '../templates/graph-template.ts';
import type { Chat, ChatMessage, Customer } from './message.ts';
import type { World } from './world.ts';

type State = {
  customers: Customer[];
  conversations: Chat[];
  messages: ChatMessage[];
  templates: GraphTemplate[];
  /** Names of deleted templates with the end of their block. */
  reserved_names: { waba_id: string; name: string; until: number }[];
};

const saveEveryMs = 2_000;
const keptMessages = 2_000;

/**
 * Restores chats, open windows and templates, then saves them every 2 s where they changed. Media and the ledger are not saved.
 * The answered function stops with a last save.
 */
export async function keepState(world: World, file: string): Promise<() => Promise<void>> {
  restore(world, await read(file));
  let changed = false;
  const note = () => {
    changed = true;
  };
  world.changes.on('message', note).on('conversation', note).on('other', note);

  let saving = Promise.resolve();
  const save = () => {
    if (!changed) return saving;
    changed = false;
    const saved = saving.then(() => write(file, world));
    saving = saved.catch(() => {});
    return saved;
  };
  const timer = setInterval(() => {
    // A failed save is retried; only the last save reports its error.
    save().catch(note);
  }, saveEveryMs).unref();
  return () => {
    clearInterval(timer);
    return save();
  };
}

function restore(world: World, state: State): void {
  for (const customer of state.customers) world.customers.update(customer.wa_id, customer);
  for (const saved of state.conversations) {
    const { phone_number_id, wa_id, last_at } = saved;
    Object.assign(world.conversations.getOrMake(phone_number_id, wa_id, last_at), saved);
  }
  for (const message of state.messages) world.messages.add(message);
  restoreTemplates(world, state);
}

/** Saved templates replace those of the options. */
function restoreTemplates(world: World, { templates, reserved_names }: State): void {
  for (const { waba_id, name, until } of reserved_names) {
    world.accounts.get(waba_id)?.reserved_names.set(name, until);
    dropTemplates(world, (one) => one.waba_id === waba_id && one.name === name);
  }
  for (const template of templates) {
    const { waba_id, name, language } = template;
    dropTemplates(world, (one) => one.waba_id === waba_id && one.name === name && one.language === language);
    world.templates.set(template.id, template);
  }
}

function dropTemplates(world: World, isDropped: (template: GraphTemplate) => boolean): void {
  for (const template of world.templates.values()) if (isDropped(template)) world.templates.delete(template.id);
}

const empty: State = { customers: [], conversations: [], messages: [], templates: [], reserved_names: [] };

/** Reads an empty state where the file is missing or unreadable. */
async function read(file: string): Promise<State> {
  try {
    return { ...empty, ...(JSON.parse(await readFile(file, 'utf8')) as Partial<State>) };
  } catch {
    return empty;
  }
}

async function write(file: string, world: World): Promise<void> {
  const state: State = {
    customers: world.customers.known(),
    conversations: [...world.conversations.all()],
    messages: [...world.messages.all()].slice(-keptMessages),
    templates: [...world.templates.values()],
    reserved_names: [...world.accounts].flatMap(([waba_id, account]) =>
      [...account.reserved_names].map(([name, until]) => ({ waba_id, name, until })),
    ),
  };
  await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
