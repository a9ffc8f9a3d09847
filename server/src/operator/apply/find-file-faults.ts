import type { ErrorDetail } from '@majlis/contract';
import { isCountry } from '../../workspaces/is-country.ts';
import { isTimezone } from '../../workspaces/is-timezone.ts';
import type { WorkspaceFile } from './workspace-file.ts';

/** Finds faults of a file that its schema cannot express. */
export function findFileFaults(file: WorkspaceFile): ErrorDetail[] {
  const { timezone, country } = file.workspace;
  return [
    ...(country === undefined || isCountry(country)
      ? []
      : [{ detail: 'is no code of a country, such as OM', pointer: '/workspace/country' }]),
    ...(timezone === undefined || isTimezone(timezone)
      ? []
      : [{ detail: 'is not the IANA name of a time zone', pointer: '/workspace/timezone' }]),
    ...(file.channels ?? []).flatMap(({ timezone: zone }, index) =>
      zone === undefined || isTimezone(zone)
        ? []
        : [{ detail: 'is not the IANA name of a time zone', pointer: `/channels/${index}/timezone` }],
    ),
    ...repeats(file.channels, 'channels', 'phone_number_id'),
    ...repeats(file.stages, 'stages', 'name'),
    ...repeats(file.closing_categories, 'closing_categories', 'name'),
    ...repeats(file.users, 'users', 'email'),
    ...repeats(file.teams, 'teams', 'name'),
    ...repeats(file.ai_agents, 'ai_agents', 'name'),
    ...repeats(file.workflows, 'workflows', 'name'),
    ...repeats(file.templates, 'templates', 'name', 'language'),
    ...repeats(file.api_keys, 'api_keys', 'name'),
    ...repeats(file.custom_fields, 'custom_fields', 'key'),
    ...repeats(file.canned_replies, 'canned_replies', 'name', 'language'),
    ...repeats(file.webhook_endpoints, 'webhook_endpoints', 'url'),
  ];
}

/** Finds entries with the same natural key. */
function repeats<Entry extends object>(
  entries: readonly Entry[] | undefined,
  list: string,
  ...members: (keyof Entry & string)[]
): ErrorDetail[] {
  const seen = new Set<string>();
  return (entries ?? []).flatMap((entry, index) => {
    const key = JSON.stringify(members.map((member) => entry[member]));
    if (seen.has(key)) return [{ detail: 'is given more than once', pointer: `/${list}/${index}/${members[0]}` }];
    seen.add(key);
    return [];
  });
}
