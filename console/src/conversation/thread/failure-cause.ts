import type { FailureCause } from '../../words/failures/en.ts';

/** The causes of failures by the platform's numbers and the service's words. People read one sentence per cause. */
const codes: Record<FailureCause, readonly string[]> = {
  window_closed: ['131047', 'window_closed'],
  unreachable_customer: ['131026'],
  own_number: ['131021'],
  test_number: ['131030'],
  experiment: ['130472'],
  country: ['130497'],
  marketing_cap: ['131049'],
  marketing_stopped: ['131050'],
  opt_in_missing: ['unprocessable_content'],
  spam_limit: ['131048'],
  too_many_to_customer: ['131056'],
  too_many: ['4', '80007', '80008', '130429'],
  temporary: ['1', '2', '131000', '131016', '131057', '132069', '133000', '133004', '134101', '131059'],
  access_lost: ['0', '3', '10', '104', '190', '131005'],
  restricted: ['368', '131031'],
  unregistered: ['131045', '133005', '133006', '133008', '133009', '133010', '133015', '133016'],
  payment: ['131042'],
  display_name: ['131037'],
  not_allowed: ['134011', '134100', '134102', '131062', '131063', '131064'],
  invalid: ['33', '100', '131008', '131009', '131051', '131055', '131060', '135000'],
  media_refused: ['131052', '131053', 'media_not_found'],
  media_lost: ['media_lost'],
  template_missing: ['132001', 'template_not_found'],
  template_values: ['132000', '132005', '132008', '132012', '132018'],
  template_policy: ['132007'],
  template_paused: ['132015', '132016', 'template_not_approved'],
  flow_blocked: ['132068'],
  identity_changed: ['137000'],
  outcome_unknown: ['outcome_unknown'],
  platform_unreachable: ['platform_unreachable'],
  contact_blocked: ['contact_blocked'],
  broadcast_cancelled: ['broadcast_cancelled'],
  target_not_delivered: ['target_not_delivered'],
  bot_in_control: ['bot_in_control'],
  conversation_closed: ['conversation_closed'],
  other: [],
};

const causes = new Map(
  Object.entries(codes).flatMap(([cause, list]) => list.map((code): [string, string] => [code, cause])),
);

export function causeOf(code: string | undefined): FailureCause {
  if (code !== undefined && /^2\d\d$/.test(code)) return 'access_lost';
  return (causes.get(code ?? '') as FailureCause | undefined) ?? 'other';
}

/** Where the same message may arrive if it is sent again, now or after something was mended. */
const mended: ReadonlySet<FailureCause> = new Set([
  'too_many_to_customer',
  'too_many',
  'temporary',
  'access_lost',
  'restricted',
  'unregistered',
  'payment',
  'display_name',
  'spam_limit',
  'platform_unreachable',
  'outcome_unknown',
  'contact_blocked',
  'identity_changed',
  'other',
]);

export function canHelpToSendAgain(code: string | undefined): boolean {
  return mended.has(causeOf(code));
}
