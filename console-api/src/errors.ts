/** The refusals of the console, beside those of the contract's catalogue. The title of a code never varies. */
export const consoleErrors = {
  sign_in_failed: { status: 401, title: 'The sign-in failed' },
  signed_out: { status: 401, title: 'You are signed out' },
  confirmation_required: { status: 403, title: 'Confirm that it is you' },
  cross_site_request: { status: 403, title: 'The request came from another site' },
  role_insufficient: { status: 403, title: 'Your role does not allow this' },
  link_invalid: { status: 404, title: 'The link was used, has expired or is unknown' },
  oidc_failed: { status: 401, title: 'The sign-in with the identity provider failed' },
  oidc_email_unverified: { status: 403, title: 'The identity provider does not confirm the e-mail address' },
  oidc_not_admitted: { status: 403, title: 'This account of the identity provider may not sign in here' },
  oidc_other_account: { status: 409, title: 'The e-mail address belongs to another account of the identity provider' },
  oidc_unavailable: { status: 503, title: 'The identity provider does not answer' },
  passkeys_unavailable: { status: 409, title: 'Passkeys need HTTPS' },
  last_sign_in_method: { status: 409, title: 'This is the last way to sign in' },
  last_owner: { status: 409, title: 'The workspace needs an owner' },
  draft_outdated: { status: 409, title: 'The draft was changed elsewhere' },
  changed_meanwhile: { status: 409, title: 'Somebody has changed this meanwhile' },
  already_decided: { status: 409, title: 'The proposal was decided or has ended' },
  newer_reply: { status: 409, title: 'A colleague has replied meanwhile' },
  already_sent: { status: 409, title: 'The message was sent already' },
  author_without_access: {
    status: 403,
    title: 'The author of the message may not write in this conversation any more',
  },
  channel_disconnected: { status: 409, title: 'The channel was disconnected' },
  opt_in_missing: { status: 409, title: 'The contact has not agreed to marketing' },
  endpoint_disabled: { status: 409, title: 'The webhook endpoint is disabled' },
  limit_reached: { status: 409, title: 'There are as many as there may be' },
  address_unproven: { status: 409, title: 'The e-mail address of the account is not proven' },
  already_member: { status: 409, title: 'The person is a member already' },
  broadcast_ended: { status: 409, title: 'The broadcast has ended' },
  already_paused: { status: 409, title: 'The broadcast is paused already' },
  not_paused: { status: 409, title: 'The broadcast is not paused' },
  nothing_waiting: { status: 409, title: 'No recipient of the broadcast waits any more' },
  too_many_streams: { status: 409, title: 'You have too many open consoles' },
} as const satisfies Record<string, { readonly status: 401 | 403 | 404 | 409 | 503; readonly title: string }>;

/** Why a member is at fault, where the console decides by it. */
export const faultReasons = {
  unknown_reference: 'The id names nothing that the workspace has, or that it has any more.',
} as const;

export type FaultReason = keyof typeof faultReasons;

/** What a refusal with `newer_reply` names besides. */
export interface NewerReply {
  message_id: string;
  user_id: string;
}

export type ConsoleErrorCode = keyof typeof consoleErrors;
