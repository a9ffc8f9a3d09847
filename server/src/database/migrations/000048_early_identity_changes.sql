-- Each batch of notifications asks whether a channel keeps such changes.
create index platform_notices_early_identity_changes on platform_notices (workspace_id, channel_id)
where reason = 'identity change of an unknown person';
