import { operations } from '@majlis/contract';
import { limitedUserOf, refuseHidden } from '../conversations/refuse-hidden.ts';
import { publicId, readFilterId } from '../database/ids.ts';
import type { Caller } from '../http/authenticate.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { requireListable, withinQuota } from '../workspaces/within-quota.ts';
import { originOf } from './consents/record-consents.ts';
import { createCustomField, listCustomFields } from './custom-fields.ts';
import { findContact } from './find-contact.ts';
import { type ContactFilter, listContacts } from './list/list-contacts.ts';
import { searchPatterns } from './list/search-patterns.ts';
import { listTags } from './list-tags.ts';
import { presentContact } from './present.ts';
import { listStages } from './queries.ts';
import { refuseFaults } from './read-contact.ts';
import { importContacts } from './write/import-contacts.ts';
import { updateContact } from './write/update-contact.ts';
import { upsertContacts } from './write/upsert-contacts.ts';

export function contactRoutes(serve: Serve, resources: Resources): void {
  const { config, pool, clock } = resources;

  serve.read(operations.listContacts, async ({ caller, query: { cursor, limit, ...filters } }) => {
    const { workspace_id } = caller;
    const filter = readFilter(caller, filters);
    const scope = JSON.stringify([operations.listContacts.id, filter]);
    return readPage(
      resources,
      { workspace_id, scope, cursor, limit },
      {
        async fetch(position, count) {
          if (!filter) return [];
          const after = position && { active_at: position[0]!, id: position[1]! };
          return listContacts(pool, workspace_id, filter, { after, count });
        },
        positionOf: (place) => [place.active_at.toISOString(), place.id],
        present: (row) => presentContact(row),
      },
    );
  });

  serve.write(operations.upsertContact, async (tx, { caller, body }) => {
    const [upserted] = await upsertContacts(tx, clock, caller, [body], {
      limits: config,
      origin: originOf(caller),
    });
    if ('faults' in upserted!) throw refuseFaults(upserted.faults);
    const { contact_id, created } = upserted!;
    const contact = presentContact((await findContact(tx, caller.workspace_id, contact_id))!);
    return { status: created ? 201 : 200, body: contact, about: { contact_id } };
  });

  serve.write(operations.importContacts, async (tx, { caller, body }) => {
    return { status: 200, body: await importContacts(tx, clock, caller, body, config) };
  });

  serve.read(operations.getContact, async ({ caller, params }) => {
    const contact_id = requireId('contact', params.contact_id);
    const row = await findContact(pool, caller.workspace_id, contact_id);
    if (!row) throw new Refusal('not_found');
    await refuseHidden(pool, caller, { contact_id });
    return presentContact(row);
  });

  serve.write(operations.updateContact, async (tx, { caller, params, body }) => {
    const row = await updateContact(tx, clock, caller, requireId('contact', params.contact_id), body, config);
    return { status: 200, body: presentContact(row) };
  });

  serve.read(operations.listCustomFields, async ({ caller: { workspace_id } }) => {
    await requireListable(pool, config.listBytesMax, { workspace_id, kind: 'custom_fields' });
    return { data: await listCustomFields(pool, workspace_id) };
  });

  serve.write(operations.createCustomField, async (tx, { caller, body }) => {
    const { workspace_id } = caller;
    const field = await withinQuota(tx, config.quotas, { workspace_id, kind: 'custom_fields' }, () =>
      createCustomField(tx, clock, workspace_id, body),
    );
    return { status: 201, body: field };
  });

  serve.read(operations.listTags, async ({ caller: { workspace_id } }) => {
    await requireListable(pool, config.listBytesMax, { workspace_id, kind: 'tags' });
    return { data: await listTags(pool, workspace_id) };
  });

  serve.read(operations.listStages, async ({ caller }) => {
    const stages = await listStages(pool, caller.workspace_id);
    return stages.map(({ id, name, emoji, position }) => {
      return { id: publicId('stage', id), name, ...(emoji !== null && { emoji }), order: position };
    });
  });
}

/** Undefined where `stage_id` cannot be an id: then no contact matches. */
function readFilter(
  { country, ...caller }: Caller,
  { q, tag, stage_id, channel_type }: { [Name in 'q' | 'tag' | 'stage_id' | 'channel_type']?: string },
): ContactFilter | undefined {
  const stage = readFilterId('stage', stage_id);
  if (stage === null) return undefined;
  const patterns = q === undefined ? [] : searchPatterns(q, country ?? undefined);
  return { patterns, tag, stage_id: stage, channel_type, visible_to: limitedUserOf(caller) };
}
