import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Clock } from '../../process/clock.ts';
import type { PersonIdentity } from './person-identity.ts';

/** The identity of a person whose number the platform tells of somebody else, from a moment on. */
export interface HandedOnNumber {
  workspace_id: string;
  channel_type: string;
  contact_id: string;
  identifier: string;
  user_id: string;
  at: Date;
}

/**
 * Thrown where messages name people by numbers of others, who had them before. The caller takes the numbers from the others, and runs
 * the transaction again.
 */
export class NumbersHandedOn extends Error {
  override readonly name = 'NumbersHandedOn';
  readonly numbers: readonly HandedOnNumber[];

  constructor(numbers: readonly HandedOnNumber[]) {
    super('numbers were handed on to other people');
    this.numbers = numbers;
  }
}

/** A person, with the time since which the number of the message is somebody else's. */
export type SettledPerson = PersonIdentity & { former_number?: { wa_id: string; left_at: Date } };

interface Owner {
  n: number;
  at: Date;
  contact_id: string | null;
  identifier: string | null;
  user_id: string | null;
}

// Who left the number after the message had it after its writer.
const selectOwners = statement<Owner>(`
  select w.n, o.at, o.contact_id, o.identifier, o.user_id
  from json_to_recordset($1) as w
    (n integer, workspace_id uuid, channel_type text, identifier text, variants text[], wa_id text, user_id text)
  cross join lateral (
    select coalesce(i.number_at, i.created_at) as at, i.contact_id, i.identifier, i.user_id from contact_identities i
    where i.workspace_id = w.workspace_id and i.channel_type = w.channel_type and i.wa_id = w.wa_id
      and i.user_id is distinct from w.user_id
    union all
    select coalesce(i.number_at, i.created_at), i.contact_id, i.identifier, i.user_id
    from unnest(w.identifier || coalesce(w.variants, '{}')) as spelling
    join contact_identities i on i.workspace_id = w.workspace_id and i.channel_type = w.channel_type and i.identifier = spelling
      and i.user_id is distinct from w.user_id
    union all
    select f.left_at, null, null, null from contact_former_names f
    where f.workspace_id = w.workspace_id and f.name = w.wa_id
      and not exists (select from contact_former_names o
        where o.workspace_id = f.workspace_id and o.contact_id = f.contact_id and o.name = w.user_id)
  ) as o`);

/**
 * Settles who has the numbers by which the platform names these people beside their user ids. With a new number the platform gives a
 * new user id, so nobody has a number twice under one user id, and the one who was named by it last has it. The others keep their user
 * id. Throws `NumbersHandedOn` where contacts have the numbers of people who were named later.
 */
export async function settleNumbers(
  connection: Connection,
  clock: Clock,
  people: readonly PersonIdentity[],
): Promise<SettledPerson[]> {
  const isNumbered = ({ wa_id, user_id }: PersonIdentity) => wa_id !== undefined && user_id !== undefined;
  if (!people.some(isNumbered)) return [...people];
  const wanted = people.map((person, n) => ({ ...person, n })).filter(isNumbered);
  const owners = Map.groupBy(await selectOwners(connection, [JSON.stringify(wanted)]), ({ n }) => n);
  const namesakes = Map.groupBy(wanted, numberOf);
  const handedOn: HandedOnNumber[] = [];
  const settled = people.map((person, n) => {
    const { workspace_id, channel_type, wa_id, user_id, active_at = clock.now() } = person;
    if (!isNumbered(person)) return person;
    const others = owners.get(n) ?? [];
    // The messages of the batch that name other people by this number count too.
    const ofBatch = namesakes.get(numberOf(person))!.filter((other) => other.user_id !== user_id);
    const times = [...others.map(({ at }) => at), ...ofBatch.map((other) => other.active_at)];
    const later = times.filter((at) => at !== undefined && at > active_at) as Date[];
    if (later.length > 0) {
      const former_number = { wa_id: wa_id!, left_at: later.reduce((a, b) => (a < b ? a : b)) };
      return { ...person, identifier: user_id!, variants: [], wa_id: undefined, former_number };
    }
    for (const { contact_id, identifier, user_id: other_user_id } of others) {
      if (contact_id === null || other_user_id === null) continue;
      const number = { workspace_id, channel_type, contact_id, identifier: identifier!, user_id: other_user_id };
      handedOn.push({ ...number, at: active_at });
    }
    return person;
  });
  if (handedOn.length > 0) throw new NumbersHandedOn(handedOn);
  return settled;
}

const numberOf = ({ workspace_id, channel_type, wa_id }: PersonIdentity) => `${workspace_id} ${channel_type} ${wa_id}`;
