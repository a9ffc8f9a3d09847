import { randomUUID } from 'node:crypto';
import { newDigits } from './messages.ts';
import type { SeededRandom } from './seeded-random.ts';

type Json = Record<string, unknown>;

/** A person as the platform knows them. */
interface Person {
  number: string;
  user_id: string;
  /** Their messages name no number. */
  hides: boolean;
  name: string;
  /** Merged persons are one contact. */
  group: number;
  /** The service has heard of them. */
  isKnown: boolean;
  /** It knows their number. A message by an unknown number alone would be a stranger's. */
  isNumberKnown: boolean;
}

/** What happens in a sequence: a message of the platform, or a call of the API about these people. */
export type Act =
  | { kind: 'post'; what: string; value: Json }
  | { kind: 'merge' | 'erase'; what: string; people: { number: string; user_id: string }[] };

/** Who wrote a text, by the group of people who are one contact. */
export interface Expected {
  /** The groups of the texts that are kept, by text. */
  groupOf: Map<string, number>;
  people: { number: string; user_id: string; group: number }[];
}

export interface Sequence {
  acts: Act[];
  expected: Expected;
}

const newUserId = () => `OM.${newDigits()}77`;

/**
 * Draws a sequence of messages, changes of numbers, user ids and usernames, swaps, numbers that are handed on, merges and erasures.
 * Each act is ten seconds after the one before, by the platform's time.
 */
export function drawSequence(
  random: SeededRandom,
  begin_s: number,
  { size = 4, steps = 24, both_ids_only = false, kinds = 11 } = {},
): Sequence {
  const people = Array.from({ length: size }, (_, group): Person => {
    const known = { isKnown: false, isNumberKnown: false };
    return { number: newDigits(), user_id: newUserId(), hides: random.next() < 0.3, name: 'Muna', group, ...known };
  });
  const acts: Act[] = [];
  const groupOf = new Map<string, number>();
  let groups = size;
  let at_s = begin_s;
  const id = () => `wamid.${randomUUID()}`;

  const write = (person: Person) => {
    const body = randomUUID();
    const shapes = ['both', ...(person.isKnown ? ['user'] : []), ...(person.isNumberKnown ? ['number'] : [])];
    const shape = both_ids_only ? 'both' : random.pick(shapes);
    const names = {
      ...(shape !== 'user' && !person.hides && { from: person.number }),
      ...((shape !== 'number' || person.hides) && { from_user_id: person.user_id }),
    };
    const message = { ...names, id: id(), timestamp: String(at_s), type: 'text', text: { body } };
    const contact = {
      profile: { name: person.name, username: person.name.toLowerCase() },
      ...(names.from && { wa_id: names.from }),
      ...(names.from_user_id && { user_id: names.from_user_id }),
    };
    acts.push({ kind: 'post', what: `write ${person.group}`, value: { contacts: [contact], messages: [message] } });
    groupOf.set(body, person.group);
    person.isKnown = true;
    if (shape === 'both' && !person.hides) person.isNumberKnown = true;
  };

  const tell = (type: string, from: { number: string; user_id: string }, to: Person, what: string) => {
    const system = { type, body: 'changed', user_id: to.user_id, previous_user_id: from.user_id };
    const withNumber = type === 'user_changed_number' ? { ...system, wa_id: to.number } : system;
    const message = {
      ...(!to.hides && { from: from.number }),
      ...{ id: id(), timestamp: String(at_s), type: 'system', system: withNumber },
    };
    acts.push({ kind: 'post', what, value: { messages: [message] } });
    if (!to.hides || type === 'user_changed_number') to.isNumberKnown = true;
  };
  const move = (person: Person, number: string, what: string) => {
    const from = { ...person };
    person.number = number;
    person.user_id = newUserId();
    tell('user_changed_number', from, person, `${what} ${person.group}`);
  };

  for (let step = 0; step < steps; step++) {
    at_s += 10;
    const person = random.pick(people);
    const other = random.pick(people.filter((one) => one !== person));
    const act = random.between(0, kinds);
    if (act <= 3 || !person.isKnown) write(person);
    else if (act === 4) move(person, newDigits(), 'number');
    else if (act === 5) {
      const from = { ...person };
      person.user_id = newUserId();
      tell('user_changed_user_id', from, person, `user id ${person.group}`);
    } else if (act === 6) person.name = random.pick(['Sara', 'Badr', 'Muna']);
    else if (act === 7 && other.isKnown) {
      const [mine, theirs] = [person.number, other.number];
      const spare = newDigits();
      // Nobody has two numbers at once, so one of them is on a third one for a moment.
      move(person, spare, 'swap');
      at_s += 1;
      move(other, mine, 'swap');
      at_s += 1;
      move(person, theirs, 'swap');
    } else if (act === 8 && other.isKnown) {
      const given = person.number;
      move(person, newDigits(), 'hand on');
      at_s += 1;
      move(other, given, 'take over');
    } else if (act === 9) person.hides = !person.hides;
    else if (act === 10 && other.isKnown && other.group !== person.group) {
      const gone = other.group;
      acts.push({ kind: 'merge', what: `merge ${person.group} ${gone}`, people: [namesOf(person), namesOf(other)] });
      for (const one of people) if (one.group === gone) one.group = person.group;
      for (const [body, group] of groupOf) if (group === gone) groupOf.set(body, person.group);
    } else if (act === 11) {
      const gone = person.group;
      acts.push({ kind: 'erase', what: `erase ${gone}`, people: [namesOf(person)] });
      for (const [body, group] of groupOf) if (group === gone) groupOf.delete(body);
      for (const one of people.filter(({ group }) => group === gone)) {
        one.group = groups++;
        one.isKnown = false;
        one.isNumberKnown = false;
      }
    }
  }
  at_s += 10;
  for (const person of people) {
    at_s += 1;
    write(person);
  }
  return { acts, expected: { groupOf, people: people.map((person) => ({ ...namesOf(person), group: person.group })) } };
}

/** The acts as they are delivered: each up to `most_late` places after its own. The platform's times tell their order. */
export function deliverLate(random: SeededRandom, acts: readonly Act[], most_late = 5): Act[] {
  const delivered = acts.map((act, place) => ({ act, place: place + random.next() * (most_late + 1) }));
  return delivered.toSorted((a, b) => a.place - b.place).map(({ act }) => act);
}

function namesOf({ number, user_id }: Person) {
  return { number, user_id };
}
