import type { OwnKeys } from '@majlis/console-api';
import { defaultKeys } from './default-keys.ts';
import type { Shortcut } from './shortcut.ts';
import { defaultOf, type Keyed, shortcutOf } from './shortcut-of.ts';

/** Why a key can be no shortcut. */
export type Reserved = 'moves' | 'go' | 'browser';

export type Judgement =
  | { type: 'kept'; own: OwnKeys }
  | { type: 'reserved'; why: Reserved }
  /** `swapped` is missing where the other commands cannot have the former key. */
  | { type: 'clash'; others: string[]; swapped: OwnKeys | undefined };

/** What becomes of the keys when the command gets this one. `shown` are the commands of the page that is open. */
export function judgeKey(id: string, key: Shortcut, shown: readonly Keyed[], own: OwnKeys): Judgement {
  const why = key.after ? undefined : reservedWhy(key);
  if (why) return { type: 'reserved', why };
  const all = allCommands(shown, own);
  const kept = withKey(all, own, id, key);
  const others = clashesOf(all, kept, id);
  if (others.length === 0) return { type: 'kept', own: kept };
  const former = shortcutOf(find(all, id), own);
  const swapped = former && others.reduce((keys, other) => withKey(all, keys, other, former), kept);
  const isFree = swapped && [id, ...others].every((one) => clashesOf(all, swapped, one).length === 0);
  return { type: 'clash', others, swapped: isFree ? swapped : undefined };
}

/** Takes the key from a command that came without one. */
export function withoutKey(id: string, own: OwnKeys): OwnKeys {
  return Object.fromEntries(Object.entries(own).filter(([one]) => one !== id));
}

/** What a key does wherever it is pressed. Letters, digits and signs are free, alone and with Shift. */
function reservedWhy({ code, mod, shift }: Shortcut): Reserved | undefined {
  if (mod) return (code === 'Enter' && shift) || freeWithMod.has(code) ? undefined : 'browser';
  if (!/^(Key[A-Z]|Digit[0-9])$/.test(code) && !signs.has(code)) return 'moves';
  return code === 'KeyG' && !shift ? 'go' : undefined;
}

const signs = new Set(['Minus', 'Equal', 'Semicolon', 'Quote', 'Backquote', 'Backslash']);
for (const code of ['Comma', 'Period', 'Slash', 'BracketLeft', 'BracketRight']) signs.add(code);

/** No browser and no text field needs these with Control or Command. Control+Enter sends. */
const freeWithMod = new Set(['KeyE', 'KeyK', 'KeyM', 'Semicolon', 'Comma', 'Period', 'Slash', 'Backslash']);

/** One key has them both: a conversation is either open or closed. */
const twins: Record<string, string> = {
  'conversation.close': 'conversation.reopen',
  'conversation.reopen': 'conversation.close',
};

const together = (id: string) => [id, twins[id]].filter((one) => one !== undefined);

function allCommands(shown: readonly Keyed[], own: OwnKeys): Map<string, Keyed> {
  const ids = [...Object.keys(defaultKeys), ...Object.keys(own)];
  return new Map([
    ...ids.map((id): [string, Keyed] => [id, { id }]),
    ...shown.map((one): [string, Keyed] => [one.id, one]),
  ]);
}

const find = (all: ReadonlyMap<string, Keyed>, id: string): Keyed => all.get(id) ?? { id };

function withKey(all: ReadonlyMap<string, Keyed>, own: OwnKeys, id: string, key: Shortcut): OwnKeys {
  const changed = together(id).map((one): [string, Shortcut] => [one, key]);
  const entries = Object.entries({ ...own, ...Object.fromEntries(changed) });
  // The key that a command comes with is nobody's own.
  return Object.fromEntries(entries.filter(([one, its]) => !isSame(its, defaultOf(find(all, one)))));
}

function clashesOf(all: ReadonlyMap<string, Keyed>, own: OwnKeys, id: string): string[] {
  const key = shortcutOf(find(all, id), own);
  return [...all.values()]
    .filter((other) => !together(id).includes(other.id) && canMeet(id, other.id) && isSame(key, shortcutOf(other, own)))
    .map((other) => other.id);
}

const areaOf = (id: string) => id.split('.')[0]!;
const ofInbox = new Set(['list', 'conversation', 'composer']);

/** The approvals and the inbox are two pages. */
function canMeet(one: string, other: string): boolean {
  const areas = [areaOf(one), areaOf(other)];
  return !(areas.includes('proposals') && areas.some((area) => ofInbox.has(area)));
}

function isSame(one: Shortcut | undefined, other: Shortcut | undefined): boolean {
  if (!one || !other) return false;
  return (
    one.code === other.code &&
    one.after === other.after &&
    Boolean(one.mod) === Boolean(other.mod) &&
    Boolean(one.shift) === Boolean(other.shift)
  );
}
