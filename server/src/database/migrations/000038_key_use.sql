-- When a request last carried the key, to the minute.
alter table api_keys add column last_used_at timestamptz(3);
