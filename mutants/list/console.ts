import { faultsIn } from '../fault.ts';

const matrix = ['server/test/role-matrix.test.ts'];
const signIn = ['server/test/sign-in.test.ts'];
const files = ['server/test/console-files.test.ts'];
const rights = ['server/test/rights-in-writes.test.ts'];

export const faults = [
  ...faultsIn('server/src/console/refuse-other-sites.ts', signIn, [
    ["if (!isOwn) throw new Refusal('cross_site_request');", '', 'a page of another site writes as the person'],
    [
      "site === 'same-origin' || (isRead && site === 'none')",
      "site !== 'cross-site'",
      'a page of a neighbouring domain writes as the person',
    ],
    [
      'return URL.parse(origin)?.host === host;',
      'return URL.parse(origin) !== null;',
      'an old browser writes for a page of another site',
    ],
  ]),
  ...faultsIn('server/src/console/browser-cookies.ts', signIn, [
    ['httpOnly: true', 'httpOnly: false', 'scripts read the session'],
    ["sameSite: 'lax'", "sameSite: 'none'", 'other sites send the session with their writes'],
  ]),
  ...faultsIn('server/src/console/authenticate-person.ts', matrix, [
    [
      'if (!session || session.awaits_code) throw',
      'if (!session) throw',
      'a password without its code is a session',
      signIn,
    ],
    ['if (!mayAct(role, least)) {', 'if (false) {', 'every role may do everything'],
    [
      "if (!membership) throw new Refusal('not_found');",
      "if (!membership) throw new Refusal('role_insufficient');",
      'a workspace of others shows that it exists',
    ],
    [
      "if (!isConfirmed(session, clock)) throw new Refusal('confirmation_required');",
      'isConfirmed(session, clock);',
      'a left computer makes API keys',
      ['server/test/member-keys.test.ts'],
    ],
  ]),
  ...faultsIn(
    'server/src/console/serve-people.ts',
    ['server/test/members.test.ts', ...matrix],
    [
      [
        'await refuseBeyondLimit(',
        'if (!caller) await refuseBeyondLimit(',
        'an agent of own teams writes to a hidden conversation',
      ],
      [
        'if (rule.confirmed) people.requireConfirmed(session);',
        '',
        'a contact is erased without a proof of identity',
        matrix,
      ],
      [
        'if (!ruleOf(operation)!.audited) return;',
        'if (ruleOf(operation)!.audited) return;',
        'what people do is not recorded',
      ],
      [
        'key_scope: (caller) => `console ${(caller as PersonCaller).user_id} `,',
        "key_scope: () => '',",
        'a person gets the answer to the idempotency key of a program',
      ],
      [
        'key_scope: (caller) => `console ${(caller as PersonCaller).user_id} `,',
        "key_scope: () => 'console ',",
        'a person gets the answer to the idempotency key of another person',
      ],
    ],
  ),
  ...faultsIn('server/src/http/serve.ts', rights, [
    [
      '          await hold_rights?.(tx, request.caller);\n',
      '',
      'a removed person uploads, erases and registers endpoints',
    ],
    [
      'const others = requests.filter((request) => !refusals.has(request));',
      'const others = requests;',
      'a batch performs the write of a removed person',
    ],
  ]),
  ...faultsIn('server/src/console/serve-console.ts', matrix, [
    [
      'if (operation.confirmed) people.requireConfirmed(session);',
      '',
      'a left computer changes the password',
      ['server/test/sign-in.test.ts', ...matrix],
    ],
  ]),
  ...faultsIn(
    'server/src/console/keep-from-caches.ts',
    ['server/test/people-guards.test.ts'],
    [
      [
        "reply.header('Cache-Control', 'no-store')",
        "reply.header('Cache-Control', 'no-cache')",
        'what a person sees stays in caches',
      ],
    ],
  ),
  ...faultsIn('server/src/console/sign-in-routes.ts', signIn, [
    ['    if (former) await endSession(pool, former.id);\n', '', 'the session before a sign-in stays'],
  ]),
  ...faultsIn(
    'server/src/console/oidc-routes.ts',
    ['server/test/oidc.test.ts'],
    [
      ['if (session) await endSession(pool, session.id);', '', 'the session before a visit to the issuer stays'],
      [
        '    const state = stateCookie.read(request);\n',
        "    const state = stateCookie.read(request) ?? new URL(request.url, 'http://x').searchParams.get('state') ?? undefined;\n",
        'a stranger signs a browser in as themselves',
      ],
    ],
  ),
  ...faultsIn('server/src/console/static-files.ts', files, [
    ['"frame-ancestors \'none\'",', '', 'another site puts the console into a frame'],
    ['"trusted-types \'none\'",', '', 'a script may write HTML'],
    ["`style-src 'self' 'nonce-${nonce}'`,", "`style-src 'self' 'unsafe-inline'`,", 'inline styles run'],
    ['      const nonce = randomBytes(16)', '      const nonce = Buffer.alloc(16)', 'every page has the same nonce'],
  ]),
  ...faultsIn(
    'console/src/live/followed.ts',
    ['console/src/live/followed.test.ts'],
    [
      [
        '      isStale = true;\n      isUnderWay',
        '      isUnderWay',
        'a failed reading of the console is never repeated',
      ],
      ['error.retry_after_seconds * 1000', '0', 'a console asks again before the time that the service named'],
      ['      invalidate();\n      wake();', '      invalidate();', 'a person who asks again waits for the pause'],
      ['isStale && listeners.size > 0 && ', 'isStale && ', 'a value that nobody shows is read'],
    ],
  ),
  ...faultsIn('console-api/src/api-keys.ts', matrix, [
    [
      "    audience: 'admin',\n    confirmed: true,\n    summary: 'Make",
      "    audience: 'agent',\n    confirmed: true,\n    summary: 'Make",
      'an agent makes API keys',
      ['server/test/member-keys.test.ts', ...matrix],
    ],
  ]),
  ...faultsIn(
    'server/src/console/field-and-tag-routes.ts',
    ['server/test/workspace-lists.test.ts'],
    [
      ['if (to === tag) throw', 'if (false) throw', 'a tag is merged into itself'],
      ['await requireCustomField(pool, workspace_id, key);', '', 'the use of no field is counted'],
      [
        "await requireListable(pool, config.listBytesMax, { workspace_id, kind: 'custom_fields' });",
        '',
        'a list of fields that is too long is read',
        ['server/test/named-fields.test.ts'],
      ],
      ['if (isMerge && !merges) throw', 'if (false) throw', 'tags are merged though nobody was told'],
    ],
  ),
  ...faultsIn(
    'server/src/console/knowledge-routes.ts',
    ['server/test/knowledge-console.test.ts'],
    [['if (!known) throw invalid', 'if (id === undefined) throw invalid', 'an agent of another workspace is asked']],
  ),
  ...faultsIn(
    'server/src/console/endpoint-delivery-routes.ts',
    ['server/test/endpoint-deliveries.test.ts'],
    [['if (!id || !(await findPayload(pool, workspace_id, id)))', 'if (!id)', 'a lost event is promised once more']],
  ),
  ...faultsIn(
    'server/src/console/workflow-edit-routes.ts',
    ['server/test/workflow-editing.test.ts'],
    [
      [
        "if (id && !state) throw new Refusal('not_found');\n    const of",
        'const of',
        'the check of a lost workflow answers',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/console/audit-routes.ts',
    ['server/test/member-keys.test.ts', 'server/test/proven-addresses.test.ts'],
    [['row.details !== null && ', '', 'an entry without details has a member for them']],
  ),
];
