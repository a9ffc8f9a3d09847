import type pg from 'pg';

/** A message every six seconds, so that 5 million of them fill a year. */
const everyMs = 6_000;
const segmentRows = 8_192;
const batchRows = 30 * segmentRows;

/**
 * Conversations of one workspace with so many messages of ten words each, whose frequencies follow Zipf's law. Beside them `winter`
 * is in one message of 50 of the older half, `lantern` in one of 100,000, and one message of 100 is a note. One conversation of 100
 * is assigned to the given user. All but the last 100,000 are in the index of the search, as the job stores them. Triggers and
 * foreign keys are off meanwhile.
 */
export async function fillMessages(
  db: pg.Pool,
  workspace_id: string,
  { messages, conversations, assignee_id }: { messages: number; conversations: number; assignee_id: string },
): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    await client.query(
      `create temporary table filled as
       select gen_random_uuid() as id, n, ch.id as channel_id
       from generate_series(0, ${conversations - 1}) n, (select id from channels where workspace_id = '${workspace_id}') ch;
       create index on filled (n);
       insert into contacts (workspace_id, id, name, created_at)
       select '${workspace_id}', id, 'Customer ' || n, now() from filled;
       insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, identifier, assignee_id,
         last_message_at, created_at)
       select '${workspace_id}', id, id, channel_id, 'chatapp', '+9687' || lpad(n::text, 7, '0'),
         case when n % 100 = 0 then '${assignee_id}'::uuid end, now(), now()
       from filled`,
    );
    const { rows } = await client.query(`select pg_get_indexdef('message_search_terms'::regclass) as definition`);
    await client.query('drop index message_search_terms');
    const indexed = Math.floor(Math.max(messages - 100_000, 0) / segmentRows) * segmentRows;
    for (let first = 0; first < messages; first += batchRows) {
      const last = Math.min(first + batchRows, messages) - 1;
      await client.query(
        `insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, status, created_at)
         select '${workspace_id}', (lpad(to_hex(ms), 12, '0') || '7000' || '8000' || lpad(to_hex(m.n), 12, '0'))::uuid,
           f.id, f.channel_id, case when m.n % 2 = 0 and m.n % 100 <> 3 then 'inbound' else 'outbound' end,
           case when m.n % 100 = 3 then 'note' else 'text' end,
           ${Array.from({ length: 10 }, zipfWord).join(` || ' ' || `)}
             || case when m.n < ${messages / 2} and m.n % 50 = 7 then ' winter' else '' end
             || case when m.n % 100000 = 11 then ' lantern' else '' end,
           case when m.n % 2 = 1 and m.n % 100 <> 3 then 'read' end, to_timestamp(ms / 1000.0)
         from (select n, (extract(epoch from now()) * 1000)::bigint - (${messages} - n)::bigint * ${everyMs} - 600000 as ms
           from generate_series(${first}, ${last}) n offset 0) m
         join filled f on f.n = (m.n * 7919::bigint) % ${conversations}`,
      );
    }
    await client.query(storeTerms(workspace_id, indexed));
    await client.query(rows[0].definition);
  } finally {
    client.release(true);
  }
}

/** A word of letters by its rank among 50,000: the first has one tenth of all places, and the frequency falls with the rank. */
function zipfWord(): string {
  return `translate(to_hex(floor(power(50000, random()))::int + 255), '0123456789abcdef', 'aeioulmnrstbdfgh')`;
}

function storeTerms(workspace_id: string, messages: number): string {
  const segment = `(('x' || right(id::text, 12))::bit(48)::bigint / ${segmentRows} + 1)`;
  const ofFilled = `from messages where workspace_id = '${workspace_id}' and id::text like '%-7000-8000-%'
    and ('x' || right(id::text, 12))::bit(48)::bigint < ${messages}`;
  return `
    insert into message_search_segments (workspace_id, number, lowest_id, message_count) overriding system value
    select '${workspace_id}', ${segment}, min(id::text)::uuid, ${segmentRows} ${ofFilled} group by ${segment};
    select setval(pg_get_serial_sequence('message_search_segments', 'number'), ${messages / segmentRows + 1});
    insert into message_search (workspace_id, message_id, conversation_id, written_by, segment_terms)
    select workspace_id, id, conversation_id,
      case when kind = 'note' then 'note' when direction = 'inbound' then 'contact' else 'business' end,
      array_to_tsvector(array(select distinct ${segment} || '.' || word from unnest(string_to_array(body, ' ')) word))
    ${ofFilled};
    insert into message_search_progress (workspace_id, up_to)
    select '${workspace_id}', max(id::text)::uuid ${ofFilled};`;
}
