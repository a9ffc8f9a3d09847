import type { ConversationMessageSend, ErrorDetail, Interactive } from '@majlis/contract';
import { isObject } from '../../platform/read-json.ts';

/** The longest text that the platform takes (platform-protocol, section 1.2). */
export const maxTextChars = 4_096;

/**
 * What the platform's documentation says that it refuses (platform-protocol, section 1.2), in a send that has the members of
 * its kind. The platform decides about the rest.
 */
export function findPlatformFault({ kind, body, location, interactive }: ConversationMessageSend) {
  switch (kind) {
    case 'text':
      return checkLength('/body', body, maxTextChars);
    case 'image':
    case 'video':
    case 'file':
      return checkLength('/body', body, 1_024);
    case 'location':
      return (
        checkDegrees('/location/latitude', location!.latitude!, 90) ??
        checkDegrees('/location/longitude', location!.longitude!, 180)
      );
    case 'interactive':
      return checkInteractive(interactive!, body);
    default:
      return undefined;
  }
}

function checkInteractive(interactive: Interactive & Record<string, unknown>, body: string | undefined) {
  const { type, body: own, header, footer, button, sections, buttons = [] } = interactive;
  const isList = type === 'list';
  const asked = body === undefined && isObject(own) ? own.text : body;
  return (
    requireText('/body', asked, isList ? maxTextChars : 1_024) ??
    (isObject(header) ? checkLength('/interactive/header/text', header.text, 60) : undefined) ??
    (isObject(footer) ? checkLength('/interactive/footer/text', footer.text, 60) : undefined) ??
    (isList ? checkLength('/interactive/button', button, 20) : undefined) ??
    (isList ? checkRows(sections, buttons) : checkButtons(buttons))
  );
}

/** A choice of either shape, with the place of its members: flat, or in `reply` as on the platform. */
interface Choice {
  pointer: string;
  members: Record<string, unknown>;
}

function choicesIn(items: readonly unknown[], pointer: string): Choice[] {
  return items.map((item, index) => {
    const place = `${pointer}/${index}`;
    if (!isObject(item)) return { pointer: place, members: {} };
    return isObject(item.reply)
      ? { pointer: `${place}/reply`, members: item.reply }
      : { pointer: place, members: item };
  });
}

function checkButtons(buttons: readonly unknown[]): ErrorDetail | undefined {
  const pointer = '/interactive/buttons';
  const choices = choicesIn(buttons, pointer);
  return (
    checkCount(pointer, choices.length, 3, 'buttons') ??
    firstFault(choices, checkButton) ??
    findRepeat(choices, 'id') ??
    findRepeat(choices, 'title')
  );
}

function checkButton(choice: Choice): ErrorDetail | undefined {
  const { pointer, members } = choice;
  const malformed = checkChoice(choice, { id: 256, title: 20 });
  if (malformed) return malformed;
  if (members.description) return fault(`${pointer}/description`, 'is shown in a list alone');
  const isTrimmed = String(members.id).trim() === members.id;
  return isTrimmed ? undefined : fault(`${pointer}/id`, 'must not begin or end with a space');
}

function checkRows(sections: unknown, buttons: readonly unknown[]): ErrorDetail | undefined {
  const pointer = `/interactive/${Array.isArray(sections) ? 'sections' : 'buttons'}`;
  const choices = Array.isArray(sections)
    ? sections.flatMap((section, index) => {
        const rows = isObject(section) && Array.isArray(section.rows) ? section.rows : [];
        return choicesIn(rows, `${pointer}/${index}/rows`);
      })
    : choicesIn(buttons, pointer);
  return checkCount(pointer, choices.length, 10, 'rows') ?? firstFault(choices, checkRow) ?? findRepeat(choices, 'id');
}

function checkRow(choice: Choice): ErrorDetail | undefined {
  const description = `${choice.pointer}/description`;
  return checkChoice(choice, { id: 200, title: 24 }) ?? checkLength(description, choice.members.description, 72);
}

function checkChoice({ pointer, members }: Choice, limits: { id: number; title: number }): ErrorDetail | undefined {
  return (
    requireText(`${pointer}/id`, members.id, limits.id) ?? requireText(`${pointer}/title`, members.title, limits.title)
  );
}

function checkCount(pointer: string, count: number, limit: number, what: string): ErrorDetail | undefined {
  return count >= 1 && count <= limit ? undefined : fault(pointer, `must have 1 to ${limit} ${what}`);
}

function findRepeat(choices: readonly Choice[], member: 'id' | 'title'): ErrorDetail | undefined {
  const values = choices.map(({ members }) => members[member]);
  const repeat = choices.find((_, index) => values.indexOf(values[index]) < index);
  return repeat && fault(`${repeat.pointer}/${member}`, `must be the ${member} of one choice alone`);
}

function requireText(pointer: string, value: unknown, limit: number): ErrorDetail | undefined {
  if (typeof value !== 'string' || value === '') return fault(pointer, `must be a text of 1 to ${limit} characters`);
  return checkLength(pointer, value, limit);
}

/** Counts as few characters as anybody might, code points: in doubt the platform decides. */
function checkLength(pointer: string, value: unknown, limit: number): ErrorDetail | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return fault(pointer, 'must be a text');
  const isLonger = value.length > limit && [...value].length > limit;
  return isLonger ? fault(pointer, `must not have more than ${limit} characters`) : undefined;
}

function checkDegrees(pointer: string, value: number, limit: number): ErrorDetail | undefined {
  return Math.abs(value) <= limit ? undefined : fault(pointer, `must be from -${limit} to ${limit}`);
}

function fault(pointer: string, detail: string): ErrorDetail {
  return { pointer, detail };
}

function firstFault(choices: readonly Choice[], check: (choice: Choice) => ErrorDetail | undefined) {
  for (const choice of choices) {
    const found = check(choice);
    if (found) return found;
  }
  return undefined;
}
