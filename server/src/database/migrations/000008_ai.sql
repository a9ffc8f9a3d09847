create table ai_usage (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  credits integer not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index ai_usage_age on ai_usage (workspace_id, created_at);

-- The operator's limit. Without a row, or with null, there is none.
create table ai_budgets (
  workspace_id uuid primary key references workspaces,
  monthly_credits bigint
);

-- Words are compared by their stems: words of Latin letters as English, all others as Arabic. The Arabic stemmer leaves words
-- of other scripts unchanged.
create text search configuration knowledge (copy = simple);
alter text search configuration knowledge alter mapping for asciiword with english_stem;
alter text search configuration knowledge alter mapping for word with arabic_stem;

-- The terms of a folded text, as numbers that include the workspace, so that one index serves all workspaces. Each word gives
-- its stem, and a long word also its first five letters, which its other forms share.
create function knowledge_terms(workspace_id uuid, folded text)
returns table (stem integer, beginning integer) language sql stable parallel safe as $$
  select hashtext(workspace_id::text || '=' || lexeme),
    case when length(lexeme) > 4 then hashtext(workspace_id::text || '~' || left(lexeme, 5)) end
  from unnest(tsvector_to_array(to_tsvector('knowledge', folded))) as lexeme
$$;

create table knowledge_sources (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  -- url, file, text
  type text not null,
  -- The address, the name of the file, the first words of the text: answers cite it.
  name text not null,
  -- The file may be cleaned up after it was read.
  media_id uuid,
  -- A text that is still to be read.
  body text,
  -- Null: every agent may use it.
  ai_agent_ids uuid[],
  -- waiting, indexed, failed
  status text not null,
  error text,
  passages integer not null default 0,
  created_at timestamptz(3) not null,
  indexed_at timestamptz(3),
  primary key (workspace_id, id)
);
create index knowledge_sources_name on knowledge_sources (workspace_id, name) where type = 'url';

create table knowledge_passages (
  workspace_id uuid not null,
  source_id uuid not null,
  position integer not null,
  body text not null,
  -- A copy of the source's column, so that a search need not read the source of every passage that it finds.
  ai_agent_ids uuid[],
  terms integer[] not null,
  -- 32-bit floats, least significant byte first.
  embedding bytea,
  primary key (workspace_id, source_id, position),
  foreign key (workspace_id, source_id) references knowledge_sources on delete cascade
);
create index knowledge_passages_terms on knowledge_passages using gin (terms)
  with (fastupdate = on, gin_pending_list_limit = 512);

-- The number of passages that contain a term: a rare term weighs more.
create table knowledge_term_counts (
  workspace_id uuid not null references workspaces,
  term integer not null,
  passages integer not null,
  primary key (workspace_id, term)
) with (fillfactor = 85);

-- The outcome of every time that an agent was to answer. No text of a message is stored here.
create table ai_answers (
  workspace_id uuid not null,
  id uuid not null,
  ai_agent_id uuid not null,
  conversation_id uuid not null,
  -- sent, handed_over, refused
  outcome text not null,
  reason text,
  message_id uuid,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, ai_agent_id) references ai_agents,
  foreign key (workspace_id, conversation_id) references conversations on delete cascade,
  foreign key (workspace_id, message_id) references messages on delete cascade
);
create index ai_answers_conversation on ai_answers (workspace_id, conversation_id);
create index ai_answers_message on ai_answers (workspace_id, message_id) where message_id is not null;
