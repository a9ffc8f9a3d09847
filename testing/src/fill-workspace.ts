/** Statements for a workspace with one channel of its own id, twenty users and five stages, numbered from 1. `at` is SQL. */
export function fillWorkspace(workspace_id: string, at: string): string {
  const numbered = (last: number) =>
    `(select i, ('00000000-0000-4000-9000-' || lpad(i::text, 12, '0'))::uuid as id from generate_series(1, ${last}) i) n`;
  return `
    insert into workspaces (id, name, created_at) values ('${workspace_id}', '${workspace_id}', ${at});
    insert into channels (workspace_id, id, type, waba_id, phone_number_id, access_token, app_secret, app_secret_fingerprint,
      verify_token, verify_token_fingerprint, created_at)
    values ('${workspace_id}', '${workspace_id}', 'chatapp', '1', '${workspace_id}', '', '', '', '', '', ${at});
    insert into users (workspace_id, id, name, email, created_at)
    select '${workspace_id}', id, 'User', i::text, ${at} from ${numbered(20)};
    insert into stages (workspace_id, id, name, position) select '${workspace_id}', id, i::text, i from ${numbered(5)};`;
}
