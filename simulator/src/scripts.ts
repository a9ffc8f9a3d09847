/**
 * The failures that a recipient's number orders: its last six digits name the script. A code of six digits names itself; a first
 * digit of 2 instead of 1 limits the failure to two sends. Shorter codes are padded to `9…`. 5005xx and 5015xx break the
 * connection, 7000xx reorder statuses.
 */
export type Script = {
  suffix: string;
  name: string;
  group: 'refused' | 'fails later' | 'connection' | 'statuses';
  description: string;
  effect: Effect;
  /** How many sends to the number fail before the others succeed. Absent: all. */
  times?: number;
};

export type Effect =
  | { kind: 'refuse'; code: number }
  | { kind: 'fail'; code: number }
  | { kind: 'connection'; fault: ConnectionFault; accepted: boolean; silent?: boolean }
  | { kind: 'statuses'; order: StatusOrder };

export type ConnectionFault = 'status_500' | 'status_502' | 'status_503' | 'no_answer' | 'reset' | 'slow';

export type StatusOrder =
  | 'before_response'
  | 'reordered'
  | 'duplicated'
  | 'never_read'
  | 'delivered_skipped'
  | 'failed_after_sent'
  | 'failed_after_delivered'
  | 'delivered_after_failed'
  | 'held'
  | 'held_then_failed'
  | 'sent_only'
  | 'none'
  | 'played'
  | 'without_callback_data'
  | 'sent_missing';

export const scripts: Script[] = [
  refuse('900190', 190, 'the access token has expired'),
  refuse('900000', 0, 'the access token was invalidated'),
  refuse('900001', 1, 'unknown API error'),
  refuse('900002', 2, 'temporary downtime'),
  refuse('900004', 4, 'the call rate limit of the app is reached'),
  refuse('900010', 10, 'permission missing'),
  refuse('900100', 100, 'invalid parameter'),
  refuse('900368', 368, 'blocked for policy violations'),
  refuse('980007', 80007, 'rate limit of the business account'),
  refuse('130429', 130429, 'throughput of the number is reached'),
  refuse('131005', 131005, 'access denied'),
  refuse('131008', 131008, 'required parameter missing'),
  refuse('131016', 131016, 'service unavailable'),
  refuse('131030', 131030, 'recipient not in the allowed list'),
  refuse('131031', 131031, 'business account locked'),
  refuse('131045', 131045, 'registration certificate problem'),
  refuse('131056', 131056, 'too many messages to this recipient'),
  refuse('131057', 131057, 'number in maintenance'),
  refuse('133004', 133004, 'server temporarily unavailable'),
  refuse('133010', 133010, 'number not registered'),
  refuse('135000', 135000, 'generic error'),
  refuse('910002', 2, 'temporary downtime', 2),
  refuse('910004', 4, 'the call rate limit of the app is reached', 2),
  refuse('230429', 130429, 'throughput of the number is reached', 2),
  refuse('231016', 131016, 'service unavailable', 2),
  refuse('231056', 131056, 'too many messages to this recipient', 2),
  refuse('231057', 131057, 'number in maintenance', 2),
  refuse('233004', 133004, 'server temporarily unavailable', 2),

  fail('130472', 130472, 'the recipient takes part in an experiment'),
  fail('130497', 130497, 'this country may not be messaged'),
  fail('131000', 131000, 'something went wrong'),
  fail('131009', 131009, 'parameter value invalid'),
  fail('131026', 131026, 'not on the platform, or cannot be reached'),
  fail('131037', 131037, 'display name not approved'),
  fail('131042', 131042, 'payment problem of the business'),
  fail('131047', 131047, 'the window has closed'),
  fail('131048', 131048, 'spam rate limit'),
  fail('131049', 131049, 'marketing cap of the recipient'),
  fail('131050', 131050, 'the recipient has stopped marketing messages'),
  fail('131053', 131053, 'media could not be processed'),
  fail('132015', 132015, 'the template was paused'),
  fail('137000', 137000, 'identity has changed'),

  connection('500500', 'status_500', false, 'answer 500 in HTML, not accepted'),
  connection('500502', 'status_502', true, 'answer 502 although accepted'),
  connection('500503', 'status_503', false, 'answer 503, not accepted'),
  connection('500504', 'no_answer', true, 'accepted, never answered'),
  connection('500505', 'no_answer', false, 'neither accepted nor answered'),
  connection('500506', 'reset', true, 'accepted, then the connection is reset'),
  connection('500507', 'reset', false, 'the connection is reset, not accepted'),
  connection('500508', 'slow', true, 'accepted, answered after the switch slow_answer_ms'),
  connection('501502', 'status_502', true, 'the first time: answer 502 although accepted', { times: 1 }),
  connection('501503', 'status_503', false, 'the first time: answer 503, not accepted', { times: 1 }),
  connection('501504', 'no_answer', true, 'the first time: accepted, never answered', { times: 1 }),
  connection('501505', 'no_answer', false, 'the first time: neither accepted nor answered', { times: 1 }),
  connection('501506', 'reset', true, 'the first time: accepted, then reset', { times: 1 }),
  connection('501507', 'reset', false, 'the first time: reset, not accepted', { times: 1 }),
  connection('502502', 'status_502', true, 'answer 502 although accepted, and no status ever', { silent: true }),
  connection('502504', 'no_answer', true, 'accepted, never answered, and no status ever', { silent: true }),

  statuses('700001', 'before_response', 'statuses arrive before the answer'),
  statuses('700002', 'reordered', 'read, then delivered, then sent'),
  statuses('700003', 'duplicated', 'each status twice at once, and again later'),
  statuses('700004', 'never_read', 'never read'),
  statuses('700005', 'delivered_skipped', 'read without delivered'),
  statuses('700006', 'failed_after_sent', 'sent, then failed with 131026'),
  statuses('700007', 'failed_after_delivered', 'delivered, then failed with 131026'),
  statuses('700008', 'delivered_after_failed', 'failed with 131026, then delivered'),
  statuses('700009', 'held', 'held for quality assessment, then released'),
  statuses('700010', 'held_then_failed', 'held for quality assessment, then failed with 132015'),
  statuses('700011', 'sent_only', 'dropped after its time to live: sent for ever'),
  statuses('700012', 'none', 'accepted, and no status ever'),
  statuses('700013', 'played', 'played after read'),
  statuses('700014', 'without_callback_data', 'statuses without biz_opaque_callback_data'),
  statuses('700015', 'sent_missing', 'delivered and read without sent'),
];

const bySuffix = new Map(scripts.map((script) => [script.suffix, script]));

export function findScript(digits: string): Script | undefined {
  return bySuffix.get(digits.slice(-6));
}

function refuse(suffix: string, code: number, meaning: string, times?: number): Script {
  const often = times === undefined ? '' : `, the first ${times} times`;
  return {
    suffix,
    name: `refused_${code}${times === undefined ? '' : `_${times}_times`}`,
    group: 'refused',
    description: `refused with ${code}${often}: ${meaning}`,
    effect: { kind: 'refuse', code },
    ...(times !== undefined && { times }),
  };
}

function fail(suffix: string, code: number, meaning: string): Script {
  return {
    suffix,
    name: `fails_${code}`,
    group: 'fails later',
    description: `accepted, then failed with ${code}: ${meaning}`,
    effect: { kind: 'fail', code },
  };
}

function connection(
  suffix: string,
  fault: ConnectionFault,
  accepted: boolean,
  description: string,
  { times, silent = false }: { times?: number; silent?: boolean } = {},
): Script {
  const name = `${fault}_${accepted ? 'accepted' : 'not_accepted'}${times ? '_once' : ''}${silent ? '_silent' : ''}`;
  const effect: Effect = { kind: 'connection', fault, accepted, silent };
  return { suffix, name, group: 'connection', description, effect, ...(times !== undefined && { times }) };
}

function statuses(suffix: string, order: StatusOrder, description: string): Script {
  return { suffix, name: `statuses_${order}`, group: 'statuses', description, effect: { kind: 'statuses', order } };
}
