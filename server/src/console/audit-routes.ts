import { type AuditEntry, consoleOperations } from '@majlis/console-api';
import { parseId, publicId } from '../database/ids.ts';
import { readPage } from '../http/page.ts';
import { invalid } from '../http/reply/refusal.ts';
import { listActs } from '../people/audit.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

export function auditRoutes(serve: ServeConsole, resources: Resources): void {
  serve(consoleOperations.listAuditEntries, async ({ caller: { workspace_id }, query }) => {
    const { cursor, limit, ...named } = query;
    const filter = {
      user_id: readUser(named.user_id),
      action: named.action,
      since: readMoment(named.since, '/since'),
      until: readMoment(named.until, '/until'),
    };
    const scope = JSON.stringify([consoleOperations.listAuditEntries.id, named]);
    const page = await readPage(
      resources,
      { workspace_id, scope, cursor, limit },
      {
        fetch: (after, count) => listActs(resources.pool, workspace_id, filter, { before: after?.[0], count }),
        positionOf: (row) => [row.id],
        present: presentEntry,
      },
    );
    return { status: 200, body: page };
  });
}

function readUser(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const id = parseId('user', text);
  if (!id) throw invalid({ detail: 'is no id of a user', pointer: '/user_id' });
  return id;
}

function readMoment(text: string | undefined, pointer: string): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw invalid({ detail: 'is no date and time', pointer });
  return moment;
}

function presentEntry(row: Awaited<ReturnType<typeof listActs>>[number]): AuditEntry {
  return {
    id: publicId('audit_entry', row.id),
    at: row.at.toISOString(),
    actor: { user_id: publicId('user', row.user_id), name: row.name },
    action: row.action,
    targets: row.targets as Record<string, string>,
    address: row.address,
    ...(row.details !== null && { details: row.details as Record<string, unknown> }),
  };
}
