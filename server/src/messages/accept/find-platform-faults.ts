import type { ConversationMessageSend, ErrorDetail, Interactive } from '@majlis/contract';
import { isObject } from '../../platform/read-json.ts';

/** The longest text that the platform takes (platform-protocol, section 1.2). */
export const maxTextChars = 4_096;

/**
 * What the platform's documentation says that it refuses (platform-protocol, section 1.2), in a send that has the members of
 * its kind. The platform decides about the rest. A generator, because a send needs the first fault alone.
 */
export function* findPlatformFaults({ kind, body, location, interactive }: ConversationMessageSend): Faults {
  switch (kind) {
    case 'text':
      return yield* checkLength('/body', body, maxTextChars);
    case 'image':
    case 'video':
    case 'file':
      return yield* checkLength('/body', body, 1_024);
    case 'location':
      yield* checkDegrees('/location/latitude', location?.latitude, 90);
      return yield* checkDegrees('/location/longitude', location?.longitude, 180);
    case 'interactive':
      return yield* checkInteractive(interactive ?? {}, body);
    default:
      return;
  }
}

type Faults = Generator<ErrorDetail, void>;

function* checkInteractive(interactive: Interactive & Record<string, unknown>, body: string | undefined): Faults {
  const { type, body: own, header, footer, button, sections, buttons = [] } = interactive;
  const isList = type === 'list';
  const asked = body === undefined && isObject(own) ? own.text : body;
  yield* requireText('/body', asked, isList ? maxTextChars : 1_024);
  if (isObject(header)) yield* checkLength('/interactive/header/text', header.text, 60);
  if (isObject(footer)) yield* checkLength('/interactive/footer/text', footer.text, 60);
  if (type === 'request_contact_info') return;
  if (!isList) return yield* checkButtons(buttons);
  yield* checkLength('/interactive/button', button, 20);
  yield* checkRows(sections, buttons);
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

function* checkButtons(buttons: readonly unknown[]): Faults {
  const pointer = '/interactive/buttons';
  const choices = choicesIn(buttons, pointer);
  yield* checkCount(pointer, choices.length, 3, 'buttons');
  for (const choice of choices) yield* checkButton(choice);
  yield* findRepeat(choices, 'id');
  yield* findRepeat(choices, 'title');
}

function* checkButton(choice: Choice): Faults {
  const { pointer, members } = choice;
  yield* checkChoice(choice, { id: 256, title: 20 });
  if (members.description) yield fault(`${pointer}/description`, 'is shown in a list alone');
  const isTrimmed = String(members.id).trim() === members.id;
  if (!isTrimmed) yield fault(`${pointer}/id`, 'must not begin or end with a space');
}

function* checkRows(sections: unknown, buttons: readonly unknown[]): Faults {
  const pointer = `/interactive/${Array.isArray(sections) ? 'sections' : 'buttons'}`;
  const choices = Array.isArray(sections)
    ? sections.flatMap((section, index) => {
        const rows = isObject(section) && Array.isArray(section.rows) ? section.rows : [];
        return choicesIn(rows, `${pointer}/${index}/rows`);
      })
    : choicesIn(buttons, pointer);
  yield* checkCount(pointer, choices.length, 10, 'rows');
  for (const choice of choices) {
    yield* checkChoice(choice, { id: 200, title: 24 });
    yield* checkLength(`${choice.pointer}/description`, choice.members.description, 72);
  }
  yield* findRepeat(choices, 'id');
}

function* checkChoice({ pointer, members }: Choice, limits: { id: number; title: number }): Faults {
  yield* requireText(`${pointer}/id`, members.id, limits.id);
  yield* requireText(`${pointer}/title`, members.title, limits.title);
}

function* checkCount(pointer: string, count: number, limit: number, what: string): Faults {
  if (count < 1 || count > limit) yield fault(pointer, `must have 1 to ${limit} ${what}`);
}

function* findRepeat(choices: readonly Choice[], member: 'id' | 'title'): Faults {
  const values = choices.map(({ members }) => members[member]);
  const repeat = choices.find((_, index) => values.indexOf(values[index]) < index);
  if (repeat) yield fault(`${repeat.pointer}/${member}`, `must be the ${member} of one choice alone`);
}

function* requireText(pointer: string, value: unknown, limit: number): Faults {
  if (typeof value === 'string' && value !== '') return yield* checkLength(pointer, value, limit);
  yield fault(pointer, `must be a text of 1 to ${limit} characters`);
}

/** Counts as few characters as anybody might, code points: in doubt the platform decides. */
function* checkLength(pointer: string, value: unknown, limit: number): Faults {
  if (value === undefined) return;
  if (typeof value !== 'string') return yield fault(pointer, 'must be a text');
  const isLonger = value.length > limit && [...value].length > limit;
  if (isLonger) yield fault(pointer, `must not have more than ${limit} characters`);
}

function* checkDegrees(pointer: string, value: number | undefined, limit: number): Faults {
  if (value === undefined || Math.abs(value) <= limit) return;
  yield fault(pointer, `must be from -${limit} to ${limit}`);
}

function fault(pointer: string, detail: string): ErrorDetail {
  return { pointer, detail };
}
