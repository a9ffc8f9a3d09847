/** Why a message did not arrive, and what to do. Loaded with the first failed message that is shown. */
export const failures = {
  window_closed: 'More than 24 hours have passed since the customer last wrote. Send a template.',
  unreachable_customer:
    'The number cannot get this message: it may not use the app, or an old version. Check the number, or reach the customer another way.',
  own_number: 'The message was addressed to your own number. Check the number of the contact.',
  test_number: 'A test number may write to listed numbers alone. Ask an administrator to list this one.',
  experiment:
    'The platform withholds marketing from this customer as part of an experiment. Wait until the customer writes.',
  country: 'Your number may not write to customers in this country. Reach the customer another way.',
  marketing_cap: 'The customer has had enough marketing of all businesses lately. Try again in a day at the earliest.',
  marketing_stopped: 'The customer has stopped marketing of your business. Send no more of it.',
  opt_in_missing: 'The customer has not agreed to marketing. Ask for their consent first.',
  spam_limit: 'The platform slows this number down because customers reported it. Write less, and send again later.',
  too_many_to_customer: 'Too many messages went to this customer in a short time. Wait a few minutes, then send again.',
  too_many: 'Your number sends too much at the moment. Wait a little, then send again.',
  temporary: 'The platform had a fault of its own. Send again.',
  access_lost: 'Majlis may not use this number any more. Ask an administrator to renew its access, then send again.',
  restricted: 'The platform has restricted your account. Ask an administrator to look at it, then send again.',
  unregistered: 'The number is not registered at the platform. Ask an administrator to register it, then send again.',
  payment: 'The platform has no valid way of payment. Ask an administrator to mend it, then send again.',
  display_name: 'The name of your number is not approved yet. Ask an administrator, then send again.',
  not_allowed: 'Your account may not send this kind of message. Ask an administrator.',
  invalid: 'The platform does not take the message as it is. Write it another way.',
  media_refused: 'The platform could not use the file. Send it in another format or smaller.',
  media_lost: 'The file could not be fetched. Attach it again.',
  template_missing: 'The template does not exist in this language. Choose another one.',
  template_values: 'The values do not fit the template. Fill it in again.',
  template_policy: 'The text with these values breaks a rule of the platform. Change the values.',
  template_paused: 'The template is paused or not approved any more. Choose another one.',
  flow_blocked: 'The form of this template is blocked. Ask an administrator.',
  identity_changed: 'The phone of the customer may have a new owner. Make sure who it is, then send again.',
  outcome_unknown:
    'The platform never said whether it took the message. The customer may have it: ask before you send again.',
  platform_unreachable: 'The platform could not be reached. Send again.',
  contact_blocked: 'The contact was blocked before the message was sent. Unblock the contact, then send again.',
  broadcast_cancelled: 'The broadcast was cancelled before it came to this customer.',
  target_not_delivered: 'The message that the reaction is for never reached the customer.',
  bot_in_control: 'A bot has the conversation. Take it over, then write.',
  conversation_closed: 'The conversation was closed. Reopen it, then write.',
  other: 'The platform refused the message. Send again; if it fails once more, ask an administrator.',
} as const satisfies Record<string, string>;

export type FailureCause = keyof typeof failures;
