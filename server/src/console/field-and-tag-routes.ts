import { consoleOperations } from '@majlis/console-api';
import { countFieldUse, countTagUse } from '../analytics/count-use.ts';
import { replaceAudienceTag } from '../broadcasts/replace-audience-tag.ts';
import {
  changeCustomField,
  deleteCustomField,
  fieldVersion,
  requireCustomField,
} from '../contacts/change-custom-field.ts';
import { listCustomFields } from '../contacts/custom-fields.ts';
import { rewriteContacts } from '../contacts/write/rewrite-contacts.ts';
import type { Transaction } from '../database/transaction.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { requireText } from '../http/require-text.ts';
import { publishLive } from '../live/publish-live.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { requireListable, withinQuota } from '../workspaces/within-quota.ts';
import type { PersonCaller } from './authenticate-person.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

/** Custom fields and tags, as administrators keep them. */
export function fieldAndTagRoutes(serve: ServeConsole, { config, pool, clock }: Resources): void {
  serve(consoleOperations.listFieldEntries, async ({ caller: { workspace_id } }) => {
    await requireListable(pool, config.listBytesMax, { workspace_id, kind: 'custom_fields' });
    const fields = await listCustomFields(pool, workspace_id);
    return { status: 200, body: { data: fields.map((field) => ({ field, version: fieldVersion(field) })) } };
  });

  serve(consoleOperations.changeCustomField, async ({ caller, body }) => {
    const field = await transactionOf(caller, pool, async (tx) => {
      const { workspace_id } = caller;
      const changed = await withinQuota(tx, config.quotas, { workspace_id, kind: 'custom_fields' }, () =>
        changeCustomField(tx, workspace_id, body),
      );
      await record(tx, caller, 'changeCustomField', { key: body.key });
      return changed;
    });
    return { status: 200, body: { field, version: fieldVersion(field) } };
  });

  serve(consoleOperations.getCustomFieldUse, async ({ caller: { workspace_id }, query: { key } }) => {
    await requireCustomField(pool, workspace_id, key);
    return { status: 200, body: await countFieldUse(pool, workspace_id, key) };
  });

  serve(consoleOperations.deleteCustomField, async ({ caller, query: { key, version } }) => {
    const { workspace_id } = caller;
    await transactionOf(caller, pool, async (tx) => {
      const { contacts } = await countFieldUse(tx, workspace_id, key);
      await deleteCustomField(tx, workspace_id, key, version);
      await rewriteContacts(tx, clock, workspace_id, { of: 'custom_field', from: key });
      await record(tx, caller, 'deleteCustomField', { key, contacts });
    });
    return { status: 204 };
  });

  serve(consoleOperations.getTagUse, async ({ caller: { workspace_id }, query: { tag } }) => ({
    status: 200,
    body: await countTagUse(pool, workspace_id, tag),
  }));

  serve(consoleOperations.replaceTag, async ({ caller, body: { tag, to: text, merges = false } }) => {
    const { workspace_id } = caller;
    const to = text === null ? null : requireText(text, '/to');
    if (to === tag) throw invalid({ detail: 'is the tag itself', pointer: '/to' });
    const contacts = await transactionOf(caller, pool, async (tx) => {
      const had = (await countTagUse(tx, workspace_id, tag)).contacts!;
      if (had === 0) throw new Refusal('not_found');
      const isMerge = to !== null && (await countTagUse(tx, workspace_id, to)).contacts! > 0;
      if (isMerge && !merges) throw new Refusal('changed_meanwhile', { detail: 'Contacts have the other tag by now.' });
      await rewriteContacts(tx, clock, workspace_id, { of: 'tag', from: tag, to });
      await replaceAudienceTag(tx, workspace_id, { from: tag, to });
      await record(tx, caller, 'replaceTag', { tag, to, contacts: had });
      return had;
    });
    return { status: 200, body: { contacts } };
  });

  async function record(
    tx: Transaction,
    caller: PersonCaller,
    action: 'changeCustomField' | 'deleteCustomField' | 'replaceTag',
    details: object,
  ): Promise<void> {
    await recordActs(tx, clock, [toAct(caller, action, {}, details)]);
    await publishLive(tx, [{ workspace_id: caller.workspace_id, kind: 'settings' }]);
  }
}
