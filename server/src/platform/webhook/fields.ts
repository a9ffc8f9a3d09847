/**
 * Every field of the platform's notifications. `handled`: read and applied. `stored`: kept as it came, counted and shown to
 * administrators. `refused`: not used here, with the reason; it is kept all the same, because nothing is dropped without a trace.
 */
export type Handling = 'handled' | 'stored' | 'refused';

/** docs/platform.md shows this table. */
export const webhookFields: Readonly<Record<string, { handling: Handling; about: string }>> = {
  messages: { handling: 'handled', about: 'Messages and statuses of customers' },
  standby: { handling: 'handled', about: "The same, while the platform's own agent holds the conversation" },
  messaging_handovers: { handling: 'handled', about: "The platform's own agent gets a conversation, or gives it up" },
  smb_message_echoes: { handling: 'handled', about: 'Messages that people of the business wrote on its phone' },
  user_preferences: { handling: 'handled', about: 'Customers stop or resume marketing' },
  message_template_status_update: { handling: 'handled', about: 'Review of a template' },
  message_template_quality_update: { handling: 'handled', about: 'Quality of a template' },
  message_template_components_update: { handling: 'handled', about: 'New parts of a template; it is read again' },
  template_correct_category_detection: {
    handling: 'handled',
    about: 'A category that does not fit; the template is read again',
  },
  template_category_update: {
    handling: 'handled',
    about: 'Category of a template; a coming one is shown to administrators until it is done or withdrawn',
  },
  phone_number_quality_update: { handling: 'handled', about: 'Quality and limit of a number' },
  phone_number_name_update: { handling: 'handled', about: 'Review of the shown name' },
  business_capability_update: { handling: 'handled', about: 'Limit of the portfolio, shared by its numbers' },
  account_update: {
    handling: 'handled',
    about: 'State of the account, for which the channel is read again; tiers of prices by volume',
  },
  account_alerts: { handling: 'handled', about: 'Alerts; the channel is read again' },
  account_review_update: { handling: 'handled', about: 'Review of the account; the channel is read again' },
  security: { handling: 'handled', about: 'Changes of the PIN; the channel is read again' },
  account_settings_update: { handling: 'stored', about: 'Settings of the account' },
  business_status_update: { handling: 'stored', about: 'State of the business portfolio' },
  business_username_update: { handling: 'handled', about: 'Username of the business, reserved or active' },
  calls: { handling: 'handled', about: 'Calls; they stand in the thread, and are not answered here' },
  history: { handling: 'handled', about: 'Older messages of the phone app; they are imported silently' },
  smb_app_state_sync: {
    handling: 'handled',
    about: 'The address book of the phone app; it names contacts without a name',
  },
  group_lifecycle_update: { handling: 'stored', about: 'Groups; they are not supported' },
  group_participants_update: { handling: 'stored', about: 'People of groups; groups are not supported' },
  group_settings_update: { handling: 'stored', about: 'Settings of groups; groups are not supported' },
  group_status_update: { handling: 'stored', about: 'State of groups; groups are not supported' },
  flows: { handling: 'stored', about: 'State of a form' },
  automatic_events: { handling: 'stored', about: 'Events that the platform finds in conversations' },
  tracking_events: { handling: 'stored', about: 'Clicks and views of marketing messages' },
  payment_configuration_update: { handling: 'stored', about: 'Payment settings' },
  partner_solutions: { handling: 'refused', about: 'Programs of solution partners' },
  message_echoes: { handling: 'stored', about: 'Messages that another app of the business sent' },
};
