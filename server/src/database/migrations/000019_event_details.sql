-- How much the events of an endpoint carry: what the contract shows, or the details as well.
alter table webhook_endpoints add column event_data text not null default 'basic' check (event_data in ('basic', 'full'));
