-- The keys that a person gave to commands of the console, by the commands' ids.
alter table people add column shortcuts jsonb not null default '{}';
