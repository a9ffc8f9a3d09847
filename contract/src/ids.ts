/** The type prefix of every identifier that the contract names. */
export const idPrefixes = {
  message: 'msg_',
  conversation: 'cv_',
  contact: 'ct_',
  template: 'tpl_',
  /** The type of the channel follows: `ch_wa_…` is a channel of type `chatapp`. */
  channel: 'ch_',
  user: 'usr_',
  team: 'team_',
  workflow: 'wf_',
  workflow_run: 'run_',
  broadcast: 'bc_',
  media: 'med_',
  ai_agent: 'ai_',
  webhook_endpoint: 'whe_',
  event: 'evt_',
  workspace: 'ws_',
} as const;
