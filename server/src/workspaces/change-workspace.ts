import type { WorkspaceState } from '@majlis/console-api';
import { build, run, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { digestOf } from '../http/digest-of.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { requireText } from '../http/require-text.ts';
import type { Clock } from '../process/clock.ts';
import { isCountry } from './is-country.ts';
import { isTimezone } from './is-timezone.ts';
import { presentWorkspace, type WorkspaceRow } from './present.ts';
import { getWorkspace } from './read-workspace.ts';

type Text = string | null | undefined;

interface WorkspaceChange {
  name?: string | undefined;
  industry?: Text;
  country?: Text;
  timezone?: Text;
  language?: Text;
}

export function presentWorkspaceState(row: WorkspaceRow): WorkspaceState {
  return { workspace: presentWorkspace(row), version: workspaceVersion(row) };
}

const workspaceVersion = ({ name, industry, country, timezone, language }: WorkspaceRow): string =>
  digestOf([name, industry, country, timezone, language]);

const lockWorkspace = statement<{ file_name: string | null }>(`
  select file_name from workspaces where id = $1 for no key update`);

/** Changes what a person sent. Where somebody changed the workspace since `version`, nothing changes. */
export async function changeWorkspace(
  tx: Transaction,
  clock: Clock,
  id: string,
  { version, ...texts }: WorkspaceChange & { version: string },
): Promise<WorkspaceRow> {
  const [locked] = await lockWorkspace(tx, [id]);
  const before = await getWorkspace(tx, id);
  if (workspaceVersion(before) !== version) throw new Refusal('changed_meanwhile');
  const name = texts.name === undefined ? undefined : requireText(texts.name, '/name');
  const given = trimmed(texts.country);
  const country = typeof given === 'string' ? given.toUpperCase() : given;
  if (country && !isCountry(country)) {
    throw invalid({ detail: 'must be the two letters of a country, such as OM', pointer: '/country' });
  }
  const timezone = trimmed(texts.timezone);
  if (timezone && !isTimezone(timezone)) {
    throw invalid({ detail: 'is not the IANA name of a time zone', pointer: '/timezone' });
  }
  const [industry, language] = [trimmed(texts.industry), trimmed(texts.language)];
  const change = {
    ...(name !== undefined && { name }),
    // The operator's file goes on to find the workspace by the name that it gave.
    ...(name !== undefined && name !== before.name && { file_name: locked!.file_name ?? before.name }),
    ...(industry !== undefined && { industry }),
    ...(country !== undefined && { country }),
    ...(timezone !== undefined && { timezone }),
    ...(language !== undefined && { language }),
    changed_at: clock.now(),
  };
  await run(tx, build.updateTable('workspaces').set(change).where('id', '=', id));
  return getWorkspace(tx, id);
}

/** An empty text is no value; undefined changes nothing. */
function trimmed(text: Text): Text {
  return text == null ? text : text.trim() || null;
}
