import { isDeepStrictEqual } from 'node:util';
import type { ConsentActorKind, ConsentSource } from '@majlis/console-api';
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import { newId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Caller, KeyCaller } from '../../http/authenticate.ts';
import type { Clock } from '../../process/clock.ts';

/** How a consent changed, and by whom. */
export interface ConsentOrigin {
  source: ConsentSource;
  actor_kind: ConsentActorKind;
  /** The user. A contact is that of the record. */
  actor_id?: string | null;
  /** The prefix of an API key. */
  actor_name?: string | null;
  /** What the contact was shown or wrote. */
  shown_text?: string | undefined;
  /** The message by which the contact decided. */
  message_id?: string;
  /** The moment of the decision; by default now. */
  decided_at?: Date | undefined;
}

/** A change of consents by who makes a request. `source`: an import, or a merge; by default the API or the console. */
export function originOf(
  caller: Pick<Caller, 'user_id' | 'is_person'> & Partial<Pick<KeyCaller, 'key_prefix'>>,
  source?: ConsentSource,
): ConsentOrigin {
  if (caller.is_person) return { source: source ?? 'console', actor_kind: 'user', actor_id: caller.user_id };
  return { source: source ?? 'api', actor_kind: 'api_key', actor_name: caller.key_prefix ?? null };
}

interface Consenting {
  consents: Record<string, unknown>;
}

export interface ConsentDecision {
  workspace_id: string;
  contact_id: string;
  consent: string;
  value: unknown;
  origin: ConsentOrigin;
}

/** The decisions that lie between two states of the consents of a contact. No request removes a consent. */
export function decisionsBetween(
  before: Consenting,
  after: Consenting & { id: string },
  { workspace_id, origin }: { workspace_id: string; origin: ConsentOrigin },
): ConsentDecision[] {
  const changed = Object.entries(after.consents).filter(
    ([consent, value]) => !isDeepStrictEqual(value, before.consents[consent]),
  );
  return changed.map(([consent, value]) => ({ workspace_id, contact_id: after.id, consent, value, origin }));
}

const insert = statement(`
  insert into consent_records (workspace_id, id, contact_id, consent, value, source, shown_text, message_id, actor_kind,
    actor_id, actor_name, decided_at, recorded_at)
  select workspace_id, id, contact_id, consent, value, source, shown_text, message_id, actor_kind, actor_id, actor_name,
    coalesce(decided_at, $2), $2
  from json_to_recordset($1) as n (workspace_id uuid, id uuid, contact_id uuid, consent text, value json, source text,
    shown_text text, message_id uuid, actor_kind text, actor_id uuid, actor_name text, decided_at timestamptz)`);

/** Stores the evidence, in the transaction of the change. The contacts are locked. */
export async function recordConsents(
  connection: Connection,
  clock: Clock,
  decisions: readonly ConsentDecision[],
): Promise<void> {
  if (decisions.length === 0) return;
  const rows = await mapInSlices(decisions, ({ origin, ...decision }) => ({
    ...decision,
    ...origin,
    id: newId(clock),
  }));
  await insert(connection, [JSON.stringify(rows), clock.now()]);
}

const move = statement(`
  update consent_records set contact_id = $2 where workspace_id = $1 and contact_id = $3`);

/** The evidence of both contacts is that of the survivor. */
export async function moveConsents(
  connection: Connection,
  { workspace_id, survivor_id, source_id }: { workspace_id: string; survivor_id: string; source_id: string },
): Promise<void> {
  await move(connection, [workspace_id, survivor_id, source_id]);
}
