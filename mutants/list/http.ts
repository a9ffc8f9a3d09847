import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'contract/src/fields.ts',
    ['server/test/odd-names.test.ts'],
    [["'^[\\\\s\\\\S]*$'", "'^.*$'", 'the value of a name with a line break is not checked']],
  ),
  ...faultsIn(
    'server/src/http/reply/bound-lists.ts',
    ['server/test/list-bytes.test.ts'],
    [["rest === '}' ? '' : ','", "''", 'a list of the console loses its other members']],
  ),
  ...faultsIn(
    'server/src/http/authenticate.ts',
    ['server/test/authentication.test.ts'],
    [
      [
        ' and k.revoked_at is null',
        '',
        'a revoked key still works',
        ['server/test/authentication.test.ts', 'server/test/operator.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/app.ts',
    ['server/test/doors.test.ts'],
    [['if (request.is404) forgetBody(request);', '', 'a stranger stops the loop with bodies for no path']],
  ),
  ...faultsIn(
    'server/src/http/hold-key.ts',
    ['server/test/authentication.test.ts'],
    [['if (!lost) return;', 'return;', 'a key that lost its scope while the body arrived still writes']],
  ),
  ...faultsIn(
    'server/src/http/pipeline.ts',
    ['server/test/authentication.test.ts'],
    [
      [
        '[needed.member] === needed.is;',
        '[needed.member] === true;',
        'a key without scopes hands a customer to a bot',
        ['server/test/scopes.test.ts'],
      ],
      [
        'scopes.includes(scope)',
        'scopes.length > 0',
        'a key with any scope may do everything',
        ['server/test/authentication.test.ts', 'server/test/every-operation.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/http/idempotency/stored-answers.ts',
    ['server/test/idempotency.test.ts'],
    [
      [
        '>= limits.idempotency_key_seconds * 1000',
        '> limits.idempotency_key_seconds * 1000',
        'a key is remembered beyond 24 hours',
      ],
      ['!row.fingerprint.equals(key.fingerprint)', 'false', 'a key with another body gets the first answer'],
      [
        'lockKeys(tx, [keys.map(lockNumber)]),',
        'undefined,',
        'two requests with one key act twice',
        ['server/test/idempotency.test.ts', 'server/test/servers/idempotency.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/http/idempotency/perform-writes.ts',
    ['server/test/idempotency.test.ts'],
    [['key && !(answer instanceof Refusal) ?', 'key ?', 'a refusal is remembered for 24 hours']],
  ),
  ...faultsIn('server/src/http/idempotency/forget-keys.ts', ['server/test/idempotency.test.ts'], []),
  ...faultsIn(
    'server/src/http/idempotency/erase-answers.ts',
    ['server/test/erase-contact.test.ts'],
    [
      [
        '    eraseConversationAnswers(tx, erased.workspace_id, erased.conversation_ids),\n',
        '',
        'an erasure leaves the stored answers that show messages',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/http/idempotency/idempotency-key.ts',
    ['server/src/http/idempotency/idempotency-key.test.ts'],
    [['key.length > max_bytes', 'key.length >= max_bytes', 'a key of 255 bytes is refused']],
  ),
  ...faultsIn(
    'server/src/http/cursor.ts',
    ['server/src/http/cursor.test.ts', 'server/test/reading.test.ts'],
    [
      [
        'update(bound_to).update(content)',
        'update(content)',
        'a cursor of one list is taken by another',
        ['server/src/http/cursor.test.ts', 'server/test/conversation-list.test.ts', 'server/test/reading.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/http/page.ts',
    ['server/test/contacts.test.ts', 'server/test/conversation-list.test.ts', 'server/test/reading.test.ts'],
    [['data.length === rows.length', 'data.length === size', 'a full page hides the next one']],
  ),
  ...faultsIn(
    'server/src/http/page.ts',
    ['server/test/page-bytes.test.ts'],
    [
      ['config.pageBytesMax)', 'Infinity)', 'a page has no bound in bytes'],
      ['Math.max(first_beyond, Math.min(items.length, 1))', 'first_beyond', 'a page of one large entry is empty'],
    ],
  ),
  ...faultsIn(
    'server/src/http/body/check-bounds.ts',
    ['server/test/bounds.test.ts'],
    [
      ['value.length > most', 'value.length > 2 * most', 'a text of twice its bound is taken'],
      ['list.length > most', 'false', 'a list has no bound'],
      ['++members > bounds.object', 'false', 'an object has no bound'],
    ],
  ),
  ...faultsIn(
    'server/src/database/fold-text.ts',
    ['server/src/database/fold-text.test.ts'],
    [["text.replace(surplusMarks, '')", 'text', 'a run of marks takes quadratic time']],
  ),
  ...faultsIn(
    'server/src/http/limit-rate/rate-limiter.ts',
    ['server/src/http/limit-rate/in-memory.test.ts'],
    [
      ['Math.ceil(back_in_ms / 1000)', 'Math.floor(back_in_ms / 1000)', 'Retry-After is rounded down'],
      [
        'remaining < chosen.remaining ||',
        'remaining > chosen.remaining ||',
        'the headers show another limit than the tightest',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/http/limit-rate/in-memory.ts',
    ['server/src/http/limit-rate/in-memory.test.ts'],
    [
      ['found[index]!.size < limit', 'found[index]!.size <= limit', 'one request more than the limit is admitted'],
      ['+ this.#length_ms <= time', '+ this.#length_ms < time', 'a place comes back a moment too late'],
      ['if (admitted && count)', 'if (count)', 'refused requests count against the limit'],
    ],
  ),
  ...faultsIn(
    'server/src/http/limit-rate/fail-open.ts',
    ['server/src/http/limit-rate/fail-open.test.ts'],
    [
      [
        'if (admission.admitted) twins.set(admission, await local.admit(checks));',
        '',
        'an outage of Redis begins with a fresh allowance',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/http/limit-requests.ts',
    ['server/test/limits.test.ts'],
    [
      [
        'if (operation?.limit) checks.push(check(workspace_id, operation.limit));',
        '',
        'sends have no limit of their own',
      ],
    ],
  ),
];
