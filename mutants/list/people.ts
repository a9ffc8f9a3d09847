import { faultsIn } from '../fault.ts';

const signIn = ['server/test/sign-in.test.ts'];
const guards = ['server/test/people-guards.test.ts'];
const members = ['server/test/members.test.ts'];
const oidc = ['server/test/oidc.test.ts'];
const passkeys = ['server/test/passkeys.test.ts'];

export const faults = [
  ...faultsIn('server/src/people/sessions.ts', signIn, [
    [
      'and created_at > $2 and last_seen_at > $3`);\n\nexport type',
      'and created_at > $2 and $3::timestamptz is not null`);\n\nexport type',
      'a session without use never ends',
    ],
    [
      'if (kept_id) query = query.where',
      'query = query.where',
      'a new password keeps no session, or a reset keeps them all',
    ],
    [
      "build.deleteFrom('sessions').where('person_id', '=', person_id).where('id', '=', id)",
      "build.deleteFrom('sessions').where('id', '=', id)",
      "a person ends another's session",
    ],
    [
      'and not awaits_code and created_at > $2 and last_seen_at > $3`',
      'and not awaits_code and $2::timestamptz is not null and $3::timestamptz is not null`',
      'a stream stays open after the end of its session by age',
      ['server/test/live-stream-bounds.test.ts'],
    ],
    [
      '< confirmationSeconds * 1000',
      '< 10 * confirmationSeconds * 1000',
      'a proof of identity counts for longer than ten minutes',
    ],
  ]),
  ...faultsIn('server/src/people/links.ts', signIn, [
    [
      'token_hash = $1 and kind = any($2) and expires_at > $3 returning',
      'token_hash = $1 and kind = any($2) and $3::timestamptz is not null returning',
      'a link works after its day',
      ['server/test/sign-in-late.test.ts'],
    ],
    [
      'delete from sign_in_links where token_hash = $1',
      'select * from sign_in_links where token_hash = $1',
      'a link works twice',
    ],
    [
      ".where('workspace_id', '=', workspace_id)\n    .where('id', '=', id)",
      ".where('id', '=', id)",
      'an admin withdraws an invitation of another workspace',
      ['server/test/console-tenants.test.ts'],
    ],
    ['and not role = any($3)`', 'and role = any($3)`', 'invitations outlive the right to make them', members],
  ]),
  ...faultsIn('server/src/people/throttle.ts', signIn, [
    [
      "`account ${name} ${sourceOf(address)}`, 'attempts', 10)",
      "`account ${name} ${sourceOf(address)}`, 'attempts', 1000)",
      'passwords of an account are guessed from one address without a limit',
    ],
    [
      "check(sourceOf(address), 'attempts', 60)",
      "check(sourceOf(address), 'attempts', 6000)",
      'one address guesses at many accounts without a limit',
      passkeys,
    ],
  ]),
  ...faultsIn('server/src/people/password.ts', guards, [
    [
      '  const parsed = stored ? parse(stored) : undefined;\n',
      '  if (!stored) return false;\n  const parsed = parse(stored);\n',
      'the time of an answer tells whether an account exists',
    ],
    [
      'timingSafeEqual(derived, tag) && parsed !== undefined',
      'derived.length === tag.length && parsed !== undefined',
      'any password signs in',
      signIn,
    ],
  ]),
  ...faultsIn('server/src/people/sign-in-with-code.ts', signIn, [
    ['  await updatePerson(tx, id, { totp_last_step: step });\n', '', 'a code of the app signs in twice'],
    [
      'if (!session?.awaits_code || !mayAwaitCode(session, clock)) {',
      'if (!session?.awaits_code) {',
      'a password from an hour ago still awaits its code',
      ['server/test/sign-in-late.test.ts'],
    ],
  ]),
  ...faultsIn('server/src/people/accept-invitation.ts', guards, [
    ['    await proveAccount(known, password);\n', '', 'an invitation opens an existing account', signIn],
    [
      'if (!person || link?.email !== person.email) return false;',
      'if (!person || !link) return false;',
      'whoever is signed in takes an invitation to another address',
    ],
    ['role: isLower ? null : role', 'role', 'an invitation to a lower role takes the last owner away'],
  ]),
  ...faultsIn('server/src/people/members.ts', members, [
    [
      'if (owners.length === 1 && owners[0] === member.id)',
      'if (owners.length === 0)',
      'the last owner can be removed',
    ],
    ["if (member.role === 'owner') refuseBeyond(manager, 'owner');", '', 'an admin demotes an owner'],
    ['if (mayAct(manager.role, role)) return;', 'if (role) return;', 'an admin makes owners'],
    [
      '  await holdRights(tx, manager);\n  const member',
      '  const member',
      'an admin who was lowered at this moment changes members',
      ['server/test/rights-in-writes.test.ts'],
    ],
  ]),
  ...faultsIn('server/src/people/memberships.ts', guards, [
    [
      'and person_id is not null for update`',
      'and person_id is not null`',
      'two owners step down at once, and none is left',
    ],
  ]),
  ...faultsIn(
    'server/src/people/hold-rights.ts',
    ['server/test/rights-in-writes.test.ts'],
    [
      ["if (!now) throw new Refusal('not_found');", 'if (!now) return;', 'a removed person still writes'],
      [
        'now.role !== role || now.own_teams_only',
        'now.own_teams_only',
        'a lowered person still writes with the former role',
      ],
      ['and person_id = $3 for key share', 'and person_id = $3', 'rights change between their check and the write'],
    ],
  ),
  ...faultsIn('server/src/people/oidc/admit.ts', oidc, [
    [
      '(email_verified !== true && !isTrusted)',
      '(email_verified === false && !isTrusted)',
      'an issuer without email_verified gives away accounts',
    ],
    ['email_verified === undefined && settings', 'settings', 'an address that the issuer denies counts as confirmed'],
    [
      'settings.trustedDomains.includes(domain)',
      'settings.trustedDomains.some((one) => domain.endsWith(one))',
      'the trust in a domain extends to its subdomains',
    ],
    [
      '!settings.domains.includes(domain)',
      '!settings.domains.some((one) => domain.startsWith(one))',
      'a domain that begins like an admitted one is admitted',
    ],
  ]),
  ...faultsIn('server/src/people/oidc/begin-oidc.ts', oidc, [
    [
      'url?.origin === origin ? url.href : `${origin}/`',
      'url ? url.href : `${origin}/`',
      'a sign-in ends at another site',
    ],
    [
      'const url = URL.parse(return_to',
      "if (return_to?.startsWith('/')) return return_to;\n  const url = URL.parse(return_to",
      'a sign-in ends at another site by // or a backslash',
    ],
  ]),
  ...faultsIn('server/src/people/oidc/sign-in-with-oidc.ts', oidc, [
    [
      "if (link?.email !== email) throw new Refusal('link_invalid');",
      "if (!link) throw new Refusal('link_invalid');",
      'an account takes an invitation to another address',
    ],
    [
      "if (person.oidc_issuer === issuer) throw new Refusal('oidc_other_account');",
      '',
      'a second account of the issuer takes over a person',
    ],
  ]),
  ...faultsIn('server/src/people/challenges.ts', passkeys, [
    [
      'delete from sign_in_challenges where token_hash = $1',
      'select * from sign_in_challenges where token_hash = $1',
      'a challenge is answered twice',
      passkeys,
    ],
    [
      '(challenge.session_id !== null && challenge.session_id !== session_id)',
      'challenge.session_id === session_id',
      'a challenge is answered in another session',
      passkeys.concat(oidc),
    ],
  ]),
  ...faultsIn('server/src/people/passkeys/verify-passkey.ts', passkeys, [
    [
      'requireUserVerification: true',
      'requireUserVerification: false',
      'a found device signs in without a check of its person',
    ],
    [
      'if (!passkey || !isOwn(passkey, proof)) throw refused();',
      'if (!passkey) throw refused();',
      "a passkey signs in as another person's",
    ],
  ]),
  ...faultsIn(
    'server/src/people/audit.ts',
    ['server/test/console-tenants.test.ts'],
    [[".where('a.workspace_id', '=', workspace_id)\n", '', 'an admin reads the activity of another workspace']],
  ),
];
