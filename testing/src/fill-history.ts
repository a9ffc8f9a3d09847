export interface HistorySize {
  workspaces: number;
  /** The contacts of each workspace. A contact has one conversation with two messages. */
  contacts: number;
}

/**
 * A statement that fills new workspaces, or the given one, with past customers. It needs a superuser:
 * the session skips triggers and foreign keys, so 10,000 contacts take a second.
 */
export function fillHistory({ workspaces, contacts }: HistorySize, workspace_id?: string): string {
  const owners = workspace_id
    ? `select '${workspace_id}'::uuid as w, (select id from channels where workspace_id = '${workspace_id}' limit 1) as ch`
    : `select w, w as ch from made`;
  return `
    set session_replication_role = replica;
    create temporary table made as
      select gen_random_uuid() as w from generate_series(1, ${workspace_id ? 0 : workspaces});
    insert into workspaces (id, name, created_at) select w, w::text, now() from made;
    insert into channels (workspace_id, id, type, waba_id, phone_number_id, access_token, app_secret, app_secret_fingerprint,
      verify_token, verify_token_fingerprint, created_at)
    select w, w, 'chatapp', w::text, w::text, '', '', '', '', '', now() from made;
    create temporary table past as
      select w, ch, gen_random_uuid() as id, i, now() - i * interval '1 second' as at
      from (${owners}) owners, generate_series(1, ${contacts}) i;
    insert into contacts (workspace_id, id, name, last_activity_at, created_at) select w, id, 'Past ' || i, at, at from past;
    insert into contact_identities (workspace_id, channel_type, identifier, contact_id, wa_id, created_at)
    select w, 'chatapp', '+9687' || lpad(i::text, 7, '0'), id, '9687' || lpad(i::text, 7, '0'), at from past;
    insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, last_message_at, created_at)
    select w, id, id, ch, 'chatapp', at, at from past;
    insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, status, platform_message_id,
      recipient, created_at)
    select w, gen_random_uuid(), id, ch, case when m = 1 then 'inbound' else 'outbound' end, 'text', 'Past', case when m > 1 then 'read' end,
      gen_random_uuid()::text, '+9687' || lpad(i::text, 7, '0'), at
    from past, generate_series(1, 2) m;
    insert into events (workspace_id, id, type, payload, conversation_id, created_at)
    select w, gen_random_uuid(), 'message.received', '{}', id, at from past, generate_series(1, 2);
    insert into idempotency_keys (workspace_id, operation, key, fingerprint, status, body, conversation_id, contact_id, created_at)
    select w, 'POST /v1/messages', id::text, '', 201, '{}', id, id, at from past;
    drop table made, past;
    set session_replication_role = origin;
    -- Otherwise the counts of rows could come ten seconds later.
    select pg_stat_force_next_flush();`;
}
