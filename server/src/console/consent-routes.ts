import { consoleOperations } from '@majlis/console-api';
import { changeWords, readConsentWords } from '../contacts/consents/consent-settings.ts';
import { listConsents, presentConsent } from '../contacts/consents/list-consents.ts';
import { recordConsent } from '../contacts/consents/record-consent.ts';
import { findContact } from '../contacts/find-contact.ts';
import { presentContact } from '../contacts/present.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

export function consentRoutes(serve: ServeConsole, resources: Resources): void {
  const { config, pool, clock } = resources;

  serve(consoleOperations.listConsentRecords, async ({ caller, params, query: { cursor, limit } }) => {
    const { workspace_id } = caller;
    const contact_id = requireId('contact', params.contact_id);
    if (!(await findContact(pool, workspace_id, contact_id))) throw new Refusal('not_found');
    const scope = JSON.stringify([consoleOperations.listConsentRecords.id, contact_id]);
    const page = await readPage(
      resources,
      { workspace_id, scope, cursor, limit },
      {
        fetch: (after, count) => listConsents(pool, { workspace_id, contact_id }, { after, count }),
        positionOf: ({ decided_at, id }) => [decided_at.toISOString(), id],
        present: presentConsent,
      },
    );
    return { status: 200, body: page };
  });

  serve(consoleOperations.recordConsent, async ({ caller, params: { contact_id }, body }) =>
    transactionOf(caller, pool, async (tx) => {
      const row = await recordConsent(tx, clock, caller, requireId('contact', contact_id), body, config);
      const { workspace_id, user_id, address } = caller;
      const act = { workspace_id, user_id, action: consoleOperations.recordConsent.id, address };
      await recordActs(tx, clock, [{ ...act, targets: { contact_id } }]);
      return { status: 200, body: presentContact(row) };
    }),
  );

  serve(consoleOperations.readConsentSettings, async ({ caller: { workspace_id } }) => ({
    status: 200,
    body: await readConsentWords(pool, workspace_id),
  }));

  serve(consoleOperations.changeConsentSettings, async ({ caller, body }) =>
    transactionOf(caller, pool, async (tx) => {
      const { workspace_id, user_id, address } = caller;
      const words = await changeWords(tx, workspace_id, body);
      const act = { workspace_id, user_id, action: consoleOperations.changeConsentSettings.id, address };
      await recordActs(tx, clock, [{ ...act, targets: {}, details: words }]);
      return { status: 200, body: words };
    }),
  );
}
