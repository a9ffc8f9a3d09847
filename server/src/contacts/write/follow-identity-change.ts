import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import type { NamedIdentity } from '../erase/identity-names.ts';
import { requireOneContact } from './find-or-create-contacts.ts';
import { addFurtherUserIds } from './learn-identities.ts';
import { linkUserIds } from './link-user-ids.ts';
import {
  findFormer,
  type IdentityChange,
  insertFormer,
  isRepeated,
  type MovedIdentity,
  moveIdentity,
} from './move-identity.ts';
import type { FoundIdentity } from './person-identity.ts';
import { releaseNumber } from './release-number.ts';

interface NamedBefore extends FoundIdentity {
  /** Another identity of the contact has the number of the report already. */
  has_moved: boolean;
}

const columns = `i.contact_id, i.identifier, i.wa_id, i.user_id, i.waba_id, i.display_name,
  exists (select from contact_identities o where o.workspace_id = i.workspace_id and o.channel_type = i.channel_type
    and o.contact_id = i.contact_id and o.identifier <> i.identifier and o.wa_id = $4) as has_moved`;
const selectByNumber = statement<NamedBefore>(`
  select ${columns} from contact_identities i
  where i.workspace_id = $1 and i.channel_type = $2 and (i.wa_id = $3 or i.identifier = '+' || $3)
    and (i.number_at > $7) is not true and (i.user_id is null or i.user_id = $5 or i.waba_id <> $6)
  order by i.wa_id = $3 desc nulls last limit 1`);
const selectByUserId = statement<NamedBefore>(`
  select ${columns} from contact_identities i where i.workspace_id = $1 and i.channel_type = $2 and i.user_id = $3`);

/**
 * Records a customer's new number or user id. A contact whose channels belong to several portfolios has a user id of each: every
 * portfolio reports the new number, and its own new user id alone. Returns what moved.
 */
export async function followIdentityChange(
  tx: Transaction,
  clock: Clock,
  change: IdentityChange,
): Promise<MovedIdentity[]> {
  const former = await findFormer(tx, change);
  if (!former) return follow(tx, clock, change);
  if (await isRepeated(tx, change)) return [];
  const { workspace_id, previous, at } = change;
  const moved = await follow(tx, clock, { ...change, previous: presentNameOf(former) });
  // So that a repetition of the report is known as one.
  await insertFormer(tx, [workspace_id, former.contact_id, [previous.user_id!], at]);
  return moved;
}

function presentNameOf({ user_id, wa_id, identifier }: NamedIdentity): IdentityChange['previous'] {
  return user_id === null ? { wa_id: wa_id ?? identifier.replace(/^\+/, '') } : { user_id };
}

async function follow(tx: Transaction, clock: Clock, change: IdentityChange): Promise<MovedIdentity[]> {
  const { workspace_id, channel_type, previous, current } = change;
  if (previous.user_id === undefined || current.user_id === undefined) return moveEach(tx, [change]);
  const linked = await linkUserIds(tx, change);
  if (linked) return linked;
  const ofContact = [workspace_id, channel_type] as const;
  const [byNumber] = await selectByNumber(tx, [
    ...ofContact,
    ...[previous.wa_id ?? null, current.wa_id ?? null, previous.user_id, current.waba_id ?? null, change.at],
  ]);
  const [byUserId] = await selectByUserId(tx, [...ofContact, previous.user_id, current.wa_id ?? null]);
  if (byNumber && byUserId && byNumber.contact_id !== byUserId.contact_id) {
    const person = { workspace_id, channel_type, identifier: byNumber.identifier, ...previous };
    await requireOneContact(tx, [{ ...person, waba_id: current.waba_id }], [byNumber]);
  }
  if (byUserId && byNumber?.contact_id !== byUserId.contact_id) {
    const isFurther = byUserId.has_moved && byUserId.identifier === previous.user_id;
    const known = { ...change, previous: { user_id: previous.user_id } };
    return moveEach(tx, [isFurther ? ofUserId(change, current.user_id) : known]);
  }
  if (!byNumber || !isOfAnother(byNumber, change)) return moveEach(tx, [change]);
  const isNews = !byUserId && !(await isRepeated(tx, change));
  const ofNumber = { ...change, current: { ...current, user_id: byNumber.user_id! } };
  const moved = await moveEach(tx, [...(current.wa_id ? [ofNumber] : []), ofUserId(change, current.user_id)]);
  if (isNews) {
    const { identifier } = moved.find((one) => one.former_identifier === byNumber.identifier) ?? byNumber;
    await addFurtherUserIds(tx, clock, [{ ...current, workspace_id, channel_type, identifier }]);
  }
  return moved;
}

/** The part of the change that tells of the user id alone. */
function ofUserId({ previous, current, ...change }: IdentityChange, user_id: string): IdentityChange {
  return {
    ...change,
    previous: { user_id: previous.user_id },
    current: { identifier: user_id, user_id, waba_id: current.waba_id },
  };
}

/** The identity has a user id of another portfolio than the one that reports. */
function isOfAnother({ user_id, waba_id }: NamedBefore, { previous, current }: IdentityChange): boolean {
  const areKnown = waba_id !== null && current.waba_id !== undefined;
  return user_id !== null && user_id !== previous.user_id && areKnown && waba_id !== current.waba_id;
}

async function moveEach(tx: Transaction, changes: readonly IdentityChange[]): Promise<MovedIdentity[]> {
  const moved: MovedIdentity[] = [];
  for (const change of changes) {
    for (const move of [releaseNumber, moveIdentity]) {
      const one = await move(tx, change);
      if (one) moved.push(one);
    }
  }
  return moved;
}
