import { consoleOperations, type ListEntryState, type ListState } from '@majlis/console-api';
import { countReasonUse, countStageUse } from '../analytics/count-use.ts';
import { stageList } from '../contacts/queries.ts';
import { rewriteContacts } from '../contacts/write/rewrite-contacts.ts';
import { replaceReference } from '../conversations/change/replace-reference.ts';
import { closingCategoryList } from '../conversations/closing-categories.ts';
import { type IdKind, publicId } from '../database/ids.ts';
import type { Transaction } from '../database/transaction.ts';
import { invalid, Refusal, unknownReference } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { publishLive } from '../live/publish-live.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { type ListEntry, orderVersion, presentOf, versionOfEntry } from '../workspaces/ordered-list.ts';
import { withinQuota } from '../workspaces/within-quota.ts';
import type { PersonCaller } from './authenticate-person.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

/** Stages and closing reasons, as administrators keep them. */
export function listRoutes(serve: ServeConsole, { config, pool, clock }: Resources): void {
  const stagesOf = async (workspace_id: string) => presentOf(await stageList.listEntries(pool, workspace_id));
  const reasonsOf = async (workspace_id: string) =>
    presentOf(await closingCategoryList.listEntries(pool, workspace_id));

  const change = <Result>(caller: PersonCaller, work: (tx: Transaction) => Promise<Result>) =>
    transactionOf(caller, pool, work);

  const within = <Result>(
    tx: Transaction,
    { workspace_id }: PersonCaller,
    kind: 'stages' | 'closing_categories',
    work: () => Promise<Result>,
  ) => withinQuota(tx, config.quotas, { workspace_id, kind }, work);

  serve(consoleOperations.listStageEntries, async ({ caller }) => ({
    status: 200,
    body: presentList('stage', await stagesOf(caller.workspace_id)),
  }));

  serve(consoleOperations.createStage, async ({ caller, body }) => {
    const entry = await change(caller, async (tx) => {
      const created = await within(tx, caller, 'stages', () => stageList.create(tx, clock, caller.workspace_id, body));
      await record(tx, caller, 'createStage', { stage_id: publicId('stage', created.id) }, { name: created.name });
      return created;
    });
    return { status: 201, body: presentListEntry('stage', entry) };
  });

  serve(consoleOperations.changeStage, async ({ caller, params: { stage_id }, body }) => {
    const entry = await change(caller, async (tx) => {
      const changed = await within(tx, caller, 'stages', () =>
        stageList.change(tx, clock, caller.workspace_id, stage_id, body),
      );
      await record(tx, caller, 'changeStage', { stage_id }, { name: changed.name });
      return changed;
    });
    return { status: 200, body: presentListEntry('stage', entry) };
  });

  serve(consoleOperations.orderStages, async ({ caller, body: { version, ids } }) => {
    const entries = await change(caller, async (tx) => {
      const ordered = await stageList.reorder(tx, clock, caller.workspace_id, { version, public_ids: ids });
      await record(tx, caller, 'orderStages', {}, { names: ordered.map(({ name }) => name) });
      return ordered;
    });
    return { status: 200, body: presentList('stage', entries) };
  });

  serve(consoleOperations.getStageUse, async ({ caller: { workspace_id }, params }) => {
    const id = requireId('stage', params.stage_id);
    const entry = (await stagesOf(workspace_id)).find((one) => one.id === id);
    if (!entry) throw new Refusal('not_found');
    return { status: 200, body: await countStageUse(pool, { workspace_id, id, name: entry.name }) };
  });

  serve(consoleOperations.deleteStage, async ({ caller, params: { stage_id }, query }) => {
    const { workspace_id, user_id } = caller;
    await change(caller, async (tx) => {
      const { entry, left } = await stageList.remove(tx, clock, workspace_id, stage_id, query.version);
      const replacement = left.find(({ id }) => publicId('stage', id) === query.replacement_id);
      if (query.replacement_id !== undefined && !replacement) {
        throw invalid(unknownReference('names no other stage', '/replacement_id'));
      }
      const [from, to] = [entry.id, replacement?.id ?? null];
      // Contacts are locked before conversations, as everywhere.
      await rewriteContacts(tx, clock, workspace_id, { of: 'stage', from, to });
      const actor = { kind: 'user' as const, id: user_id };
      await replaceReference(tx, clock, { workspace_id, of: 'stage', from_id: from, to_id: to, actor });
      const details = { name: entry.name, ...(replacement && { replacement: replacement.name }) };
      await record(tx, caller, 'deleteStage', { stage_id }, details);
    });
    return { status: 204 };
  });

  serve(consoleOperations.listClosingEntries, async ({ caller }) => ({
    status: 200,
    body: presentList('closing_category', await reasonsOf(caller.workspace_id)),
  }));

  serve(consoleOperations.createClosingCategory, async ({ caller, body }) => {
    const entry = await change(caller, async (tx) => {
      const created = await within(tx, caller, 'closing_categories', () =>
        closingCategoryList.create(tx, clock, caller.workspace_id, body),
      );
      const targets = { category_id: publicId('closing_category', created.id) };
      await record(tx, caller, 'createClosingCategory', targets, { name: created.name });
      return created;
    });
    return { status: 201, body: presentListEntry('closing_category', entry) };
  });

  serve(consoleOperations.changeClosingCategory, async ({ caller, params: { category_id }, body }) => {
    const entry = await change(caller, async (tx) => {
      const changed = await within(tx, caller, 'closing_categories', () =>
        closingCategoryList.change(tx, clock, caller.workspace_id, category_id, body),
      );
      await record(tx, caller, 'changeClosingCategory', { category_id }, { name: changed.name });
      return changed;
    });
    return { status: 200, body: presentListEntry('closing_category', entry) };
  });

  serve(consoleOperations.orderClosingCategories, async ({ caller, body: { version, ids } }) => {
    const entries = await change(caller, async (tx) => {
      const order = { version, public_ids: ids };
      const ordered = await closingCategoryList.reorder(tx, clock, caller.workspace_id, order);
      await record(tx, caller, 'orderClosingCategories', {}, { names: ordered.map(({ name }) => name) });
      return ordered;
    });
    return { status: 200, body: presentList('closing_category', entries) };
  });

  serve(consoleOperations.getClosingCategoryUse, async ({ caller: { workspace_id }, params }) => {
    const id = requireId('closing_category', params.category_id);
    const entry = (await reasonsOf(workspace_id)).find((one) => one.id === id);
    if (!entry) throw new Refusal('not_found');
    return { status: 200, body: await countReasonUse(pool, { workspace_id, id, name: entry.name }) };
  });

  serve(consoleOperations.deleteClosingCategory, async ({ caller, params: { category_id }, query }) => {
    await change(caller, async (tx) => {
      const { version } = query;
      const { entry } = await closingCategoryList.remove(tx, clock, caller.workspace_id, category_id, version);
      await record(tx, caller, 'deleteClosingCategory', { category_id }, { name: entry.name });
    });
    return { status: 204 };
  });

  async function record(
    tx: Transaction,
    caller: PersonCaller,
    action: Parameters<typeof toAct>[1],
    targets: Record<string, string>,
    details: object,
  ): Promise<void> {
    await recordActs(tx, clock, [toAct(caller, action, targets, details)]);
    await publishLive(tx, [{ workspace_id: caller.workspace_id, kind: 'settings' }]);
  }
}

type ListKind = Extract<IdKind, 'stage' | 'closing_category'>;

function presentList(kind: ListKind, entries: readonly ListEntry[]): ListState {
  return { data: entries.map((entry) => presentListEntry(kind, entry)), version: orderVersion(entries) };
}

function presentListEntry(kind: ListKind, entry: ListEntry): ListEntryState {
  const { id, name, emoji } = entry;
  return { id: publicId(kind, id), name, ...(emoji !== null && { emoji }), version: versionOfEntry(entry) };
}
