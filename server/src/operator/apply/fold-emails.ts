import { normalizeEmail } from '../../people/people.ts';
import type { WorkspaceFile } from './workspace-file.ts';

/** Writes e-mail addresses in lower case, as those of people are: two spellings name one user. */
export function foldEmails(file: WorkspaceFile): WorkspaceFile {
  const { users, teams, api_keys, saved_views } = file;
  return {
    ...file,
    ...(users && { users: users.map((user) => ({ ...user, email: normalizeEmail(user.email) })) }),
    ...(teams && {
      teams: teams.map((team) => ({ ...team, ...(team.members && { members: team.members.map(normalizeEmail) }) })),
    }),
    ...(saved_views && {
      saved_views: saved_views.map(({ name, filter }) => ({
        ...{ name, filter },
        ...(filter.assignee !== undefined && { filter: { ...filter, assignee: normalizeEmail(filter.assignee) } }),
      })),
    }),
    ...(api_keys && {
      api_keys: api_keys.map((key) => ({
        ...key,
        ...(key.created_by !== undefined && { created_by: normalizeEmail(key.created_by) }),
      })),
    }),
  };
}
