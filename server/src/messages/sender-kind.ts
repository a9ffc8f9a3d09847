/**
 * The kind of the sender of message `m`, for people of the business. A message without an author that the platform reported was
 * written by its own agent, or by a person in the phone app. One that was sent here has no report as its content.
 */
export const senderKind = `case when m.actor_kind is not null or m.direction <> 'outbound' or m.content -> 'raw' is null
  then m.actor_kind when m.content ->> 'by_platform_agent' = 'true' then 'platform_agent' else 'phone_app' end`;
