/**
 * A statement that adds a customer who came by an advertisement, and whose first answer failed `hours` ago. Many messages were
 * written since the day in which an answer begins the free time. It needs a superuser, as `fillHistory` does.
 */
export function fillAdvertised(workspace_id: string, digits: string, { hours = 44, messages = 2_000 } = {}): string {
  return `
    set session_replication_role = replica;
    create temporary table came as
      select '${workspace_id}'::uuid as w, gen_random_uuid() as id, now()::timestamptz(3) - interval '${hours} hours' as answered_at,
        (select id from channels where workspace_id = '${workspace_id}' limit 1) as ch;
    insert into contacts (workspace_id, id, name, last_activity_at, created_at) select w, id, 'Came', now(), answered_at from came;
    insert into contact_identities (workspace_id, channel_type, identifier, contact_id, wa_id, created_at)
    select w, 'chatapp', '+${digits}', id, '${digits}', answered_at from came;
    insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, last_message_at, created_at,
      entry_answerable_until, free_until)
    select w, id, id, ch, 'chatapp', now(), answered_at, answered_at + interval '20 hours', answered_at + interval '72 hours'
    from came;
    create temporary table written as
      select n, case when n = 0 then answered_at else answered_at + interval '21 hours' + n * interval '1 second' end as at
      from came, generate_series(0, ${messages}) n;
    insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, status, recipient, created_at)
    select w, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
      id, ch, 'outbound', 'text', 'Past', case when n = 0 then 'failed' else 'read' end, '+${digits}', at
    from came, written;
    drop table came, written;
    set session_replication_role = origin;
    select pg_stat_force_next_flush();`;
}
