/**
 * The statements that may read or change rows of several workspaces, each by a part of its text that no other statement
 * has, and the reason.
 */
export const acrossWorkspaces: Record<string, string> = {
  'from api_keys k join workspaces w on w.id = k.workspace_id where k.key_hash = any($1': 'A key names its workspace.',
  'insert into workspaces as w (id, name,': 'A workspace file names its workspace; names are unique.',
  'select "id" from "workspaces" where coalesce(file_name, name) = $1':
    'A workspace file names its workspace; these names are unique.',
  'insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind,':
    'The platform gives an id once per number, and a number belongs to one workspace.',
  'select w.n, c.workspace_id, c.id from named w join channels c on c.phone_number_id = any(w.phone_number_ids)':
    'A notification names a number or an account, whose channels name the workspaces.',
  'on conflict ("phone_number_id") where "disconnected_at" is null do nothing':
    'A number belongs to one workspace; another that names it is refused.',
  'from "channels" where "phone_number_id" in (':
    'A number belongs to one workspace; another that names it is refused.',
  'select distinct on ("app_secret_fingerprint")': 'A notification may name a number that no channel has.',
  'from channels where (workspace_id, id) > ($1, ': 'A rotation of SECRET_KEY seals all secrets anew.',
  'from webhook_endpoints where (workspace_id, id) > ($1, ': 'A rotation of SECRET_KEY seals all secrets anew.',
  'from workflow_versions where (workspace_id, workflow_id, version) >':
    'A rotation of SECRET_KEY seals all secrets anew.',
  "select from channels c where encode(c.app_secret_fingerprint, 'hex') =":
    'A rotation of SECRET_KEY waits for the notifications of all channels.',
  'from "channels" where "verify_token_fingerprint" in (':
    'The platform asks for no number when it verifies the address.',
  'from templates where platform_template_id is null and':
    'A simulated platform serves all workspaces, as the real one does.',
  'from media where created_at < $1 and created_at >= $2': 'The sweep visits the media of all workspaces by age.',
  'select workspace_id, id as endpoint_id from webhook_endpoints order by': 'The hourly deletion visits all endpoints.',
  'where offset_ms = 0 and not exists (select from workspaces)': 'The clock of an empty database may begin earlier.',
  'select id from workspaces order by id': 'The hourly deletion visits all workspaces.',
  'from retention_settings s where s.conversation_days is not null':
    'The hourly deletion visits all workspaces that have a retention.',
  'select workspace_id, id from scheduled_messages where changed_at < $1': 'The hourly deletion: all age alike.',
  'select workspace_id, id from proposals where ended_at < $1': 'The hourly deletion: all age alike.',
  'delete from idempotency_keys k using old': 'The hourly deletion: a key ages alike everywhere.',
  'delete from erased_calls where called_at < $1': 'The hourly deletion: a call ages alike everywhere.',
  'select exists (select from events where position is null': 'The feed has one order for all workspaces.',
  'update events e set position = u.position': 'The feed has one order for all workspaces.',
  'select position, payload from events where position > $1 and type = any($3)': 'The operator reads the feed of all.',
  'select e.position from workspaces w join events e': 'The operator names an event alone.',
  'select e.id from workspaces w join events e': 'The operator names an event alone.',
  'select e.workspace_id, e.id as endpoint_id, e.enabled from workspaces w join webhook_endpoints e':
    'The operator names an endpoint alone.',
  'select e.workspace_id,e.id,e.url,e.events,e.enabled,e.event_data,e.created_at from workspaces w join webhook_endpoints e':
    'The operator names an endpoint alone.',
  'where old_secret_until <= $1': 'The hourly deletion: an overlap ends alike everywhere.',
  'join lateral (select distinct endpoint_id from webhook_attempts a': 'The operator names an event alone.',
  'from sign_in_links where token_hash = $1 and expires_at': 'A token names its link, and the link its workspace.',
  'from sign_in_links where token_hash = $1 and kind': 'A token names its link, and the link its workspace.',
  "from sign_in_links where kind = 'invitation' and email":
    'A new person joins all workspaces that invited their address.',
  'delete from sign_in_links where expires_at <= $1': 'The hourly deletion: a link ages alike everywhere.',
  'from users u join workspaces w on w.id = u.workspace_id where u.person_id = $1 order by':
    'A person signs in once, to all their workspaces.',
  'from users u where u.person_id = any($1': 'A reader follows the rights of all people who have a stream.',
  'from live_changes l left join conversations c': 'A reader tells the streams of several workspaces in one order.',
  'select epoch, position, forgotten, exists': 'The feed has one order for all workspaces.',
  'update live_changes l set position = u.position': 'The feed has one order for all workspaces.',
  'where position is not null order by position limit $1) l':
    'The deletion by the minute: a change ages alike everywhere.',
  'where position is null order by id limit $1) l': 'The deletion by the minute: a change ages alike everywhere.',
  "from knowledge_sources s where s.status = 'indexed' and exists (":
    'After a change of the model, all passages are embedded anew.',
  'select w.id from workspaces w left join message_search_progress':
    'The job indexes the messages of each workspace in turn.',
  'from contact_imports i where (i.ended_at < $1': 'The hourly deletion: an import ages alike everywhere.',
};
