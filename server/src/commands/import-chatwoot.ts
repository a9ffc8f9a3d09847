import type { HistoryResult } from '../messages/history/history-import.ts';
import { CannotRun } from '../process/cannot-run.ts';
import { readConfig } from '../process/config.ts';
import { askOperator, type OperatorDoor } from './ask-operator.ts';
import { readExport } from './chatwoot/read-export.ts';
import { type ContactHistory, toHistory } from './chatwoot/to-history.ts';
import { findDoor } from './find-door.ts';

export interface ImportChatwootOptions {
  workspace: string;
  channel?: string;
  inbox?: string[];
  account?: string;
  json?: boolean;
  dryRun?: boolean;
  url?: string;
}

const contactsAtOnce = 100;
const messagesAtOnce = 500;
const mostNamed = 20;

/** `majlis import-chatwoot FOLDER --workspace ws_…` */
export async function importChatwoot(place: string, options: ImportChatwootOptions): Promise<void> {
  const inboxes = options.inbox && new Set(options.inbox.map(readNumber));
  const found = await readExport(place);
  const { histories, skipped } = toHistory(found, inboxes);
  const account = options.account ?? [...found.conversations.values()].find((one) => one.account_id)?.account_id ?? 1;
  const messages = histories.reduce((sum, { history }) => sum + (history.conversation?.messages.length ?? 0), 0);
  const total = { contacts: histories.length, messages, ...skipped };
  if (options.dryRun) return print({ would_import: total }, options);
  const door = await findDoor(readConfig(process.env, 'import-chatwoot'), options.url);
  const target = { source: `chatwoot/${account}`, ...(options.channel && { channel_id: options.channel }) };
  const result = { ...blank, ...skipped };
  const failed: string[] = [];
  for (const part of partsOf(histories)) {
    const answer = await send(door, options.workspace, { ...target, contacts: part.map(({ history }) => history) });
    // A contact of several parts is counted once.
    result.contacts_created += answer.contacts.created;
    result.contacts_known += answer.contacts.known - part.filter(({ isContinued }) => isContinued).length;
    result.conversations_created += answer.conversations.created;
    result.messages_stored += answer.messages.stored;
    result.messages_known += answer.messages.known;
    for (const { index, code, detail } of answer.failed) {
      const { contact_id, isContinued } = part[index]!;
      if (!isContinued) failed.push(`contact ${contact_id}: ${code}, ${detail}`);
    }
  }
  print({ ...result, failed: options.json ? failed : failed.length }, options);
  if (failed.length === 0) return;
  if (!options.json)
    process.stderr.write(
      `${failed
        .slice(0, mostNamed)
        .map((line) => `  ${line}\n`)
        .join('')}`,
    );
  throw new CannotRun(`${failed.length} contacts were not imported. The others were.`);
}

const blank = {
  contacts_created: 0,
  contacts_known: 0,
  conversations_created: 0,
  messages_stored: 0,
  messages_known: 0,
};
type Part = ContactHistory & { isContinued: boolean };

function send(door: OperatorDoor, workspace: string, body: object): Promise<HistoryResult> {
  const path = `/workspaces/${encodeURIComponent(workspace)}/history`;
  return askOperator(door, 'POST', path, body, {}, 120_000) as Promise<HistoryResult>;
}

/** Requests of a bounded size. A long history goes in several, the oldest messages first. */
function* partsOf(histories: readonly ContactHistory[]): Generator<Part[]> {
  let part: Part[] = [];
  let size = 0;
  for (const { contact_id, history } of histories) {
    const { conversation, ...contact } = history;
    const messages = (conversation?.messages ?? []).toSorted((a, b) => a.at.localeCompare(b.at) || a.number - b.number);
    for (let done = 0; done === 0 || done < messages.length; done += messagesAtOnce) {
      const some = messages.slice(done, done + messagesAtOnce);
      if (part.length === contactsAtOnce || size + some.length > messagesAtOnce) {
        if (part.length > 0) yield part;
        part = [];
        size = 0;
      }
      size += some.length;
      const own = conversation && { conversation: { ...conversation, messages: some } };
      part.push({ contact_id, history: { ...contact, ...own }, isContinued: done > 0 });
    }
  }
  if (part.length > 0) yield part;
}

function print(result: object, { json }: ImportChatwootOptions): void {
  if (json) return void process.stdout.write(`${JSON.stringify(result)}\n`);
  for (const [name, value] of Object.entries(result)) {
    if (typeof value === 'object') print(value, {} as ImportChatwootOptions);
    else process.stdout.write(`${name.replaceAll('_', ' ').padEnd(24)} ${value}\n`);
  }
}

function readNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new CannotRun('--inbox takes the number of an inbox of Chatwoot');
  return number;
}
