import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { CannotRun } from '../../process/cannot-run.ts';

type Json = Record<string, unknown>;

/** A contact as Chatwoot's API answers it. */
export interface ChatwootContact {
  id: number;
  name?: string | null;
  email?: string | null;
  phone_number?: string | null;
  blocked?: boolean | null;
  custom_attributes?: Json | null;
}

export interface ChatwootConversation {
  /** Its number in the account. */
  id: number;
  account_id?: number;
  inbox_id?: number;
  status?: string;
  created_at?: number;
  labels?: string[];
  meta: { sender?: ChatwootContact; assignee?: { email?: string | null } | null };
}

export interface ChatwootMessage {
  id: number;
  conversation_id?: number;
  content?: string | null;
  /** 0 incoming, 1 outgoing, 2 activity, 3 template. */
  message_type: number;
  private?: boolean;
  /** Seconds since 1970. */
  created_at: number;
  sender?: { type?: string; email?: string | null } | null;
  attachments?: { file_type?: string; data_url?: string }[];
}

/** What an export holds, each once: pages of the API may overlap. */
export interface ChatwootExport {
  contacts: Map<number, ChatwootContact>;
  conversations: Map<number, ChatwootConversation>;
  /** By conversation, then by message. */
  messages: Map<number, Map<number, ChatwootMessage>>;
}

/** Reads all `.json` and `.ndjson` files of a folder, or one file. Each holds answers of the API, or bare entries. */
export async function readExport(place: string): Promise<ChatwootExport> {
  const found: ChatwootExport = { contacts: new Map(), conversations: new Map(), messages: new Map() };
  const info = await stat(place).catch(() => {
    throw new CannotRun(`${place} cannot be read: there is no such file or folder`);
  });
  const files = info.isDirectory()
    ? (await readdir(place, { recursive: true })).sort().map((file) => path.join(place, file))
    : [place];
  for (const file of files) {
    if (file.endsWith('.json')) collect(found, parse(await readFile(file, 'utf8'), file), file);
    else if (file.endsWith('.ndjson')) {
      let line = 0;
      for await (const text of createInterface(createReadStream(file))) {
        line += 1;
        if (text.trim() !== '') collect(found, parse(text, `${file}:${line}`), file);
      }
    }
  }
  const { contacts, conversations, messages } = found;
  if (contacts.size + conversations.size + messages.size === 0) {
    throw new CannotRun(`${place} has no contacts, conversations or messages of Chatwoot in .json or .ndjson files`);
  }
  return found;
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CannotRun(`${place} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** An answer of the API holds its entries in `payload`, or in `data.payload`. */
function collect(found: ChatwootExport, value: unknown, file: string): void {
  if (Array.isArray(value)) {
    for (const entry of value) collect(found, entry, file);
    return;
  }
  if (!isObject(value)) return;
  const lists = [value.payload, isObject(value.data) ? value.data.payload : undefined];
  for (const name of ['contacts', 'conversations']) if (Array.isArray(value[name])) lists.push(value[name]);
  if (typeof value.id !== 'number') {
    if (Array.isArray(value.messages)) lists.push(value.messages);
    for (const list of lists) if (list !== undefined) collect(found, list, file);
    return;
  }
  if (typeof value.message_type === 'number') addMessage(found, value as unknown as ChatwootMessage, file);
  else if (isObject(value.meta)) {
    const conversation = value as unknown as ChatwootConversation;
    found.conversations.set(conversation.id, conversation);
    if (Array.isArray(value.messages)) collect(found, value.messages, file);
  } else if ('phone_number' in value || 'email' in value) {
    found.contacts.set(value.id, value as unknown as ChatwootContact);
  }
}

function addMessage(found: ChatwootExport, message: ChatwootMessage, file: string): void {
  // A page of messages may be named after its conversation, as in `messages/42.json`.
  const conversation_id = message.conversation_id ?? Number(/(\d+)(?:-\d+)?\.n?d?json$/.exec(file)?.[1]);
  if (!Number.isSafeInteger(conversation_id)) return;
  const known = found.messages.get(conversation_id) ?? new Map<number, ChatwootMessage>();
  known.set(message.id, message);
  found.messages.set(conversation_id, known);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
