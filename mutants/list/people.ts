import { faultsIn } from '../fault.ts';

const signIn = ['server/test/sign-in.test.ts'];
const guards = ['server/test/people-guards.test.ts'];
const members = ['server/test/members.test.ts'];
const invitations = ['server/test/invitations.test.ts'];
const records = ['server/test/member-keys.test.ts'];
const oidc = ['server/test/oidc.test.ts'];
const passkeys = ['server/test/passkeys.test.ts'];
const proofs = ['server/test/proven-addresses.test.ts'];
const floods = ['server/test/sign-in-floods.test.ts'];
const throttles = ['server/src/people/throttle.test.ts'];
const others = ['server/test/secrets-of-others.test.ts'];

export const faults = [
  ...faultsIn('server/src/people/sessions.ts', signIn, [
    [
      'and created_at > $2 and last_seen_at > $3`);\n\nexport type',
      'and created_at > $2 and $3::timestamptz is not null`);\n\nexport type',
      'a session without use never ends',
      ['server/test/sign-in-late.test.ts'],
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
    ['await requireOpen(tx, { id });', '', 'a session that a proof ended still changes the account', proofs],
    [
      '< confirmationSeconds * 1000',
      '< 10 * confirmationSeconds * 1000',
      'a proof of identity counts for longer than ten minutes',
      ['server/test/sign-in-late.test.ts'],
    ],
  ]),
  ...faultsIn('server/src/people/links.ts', signIn, [
    [
      'where token_hash = $1 and expires_at > $2`);\nconst selectInvitationsTo',
      'where token_hash = $1 and $2::timestamptz is not null`);\nconst selectInvitationsTo',
      'a link is read after its day',
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
    ['and not role = any($3)`', 'and role = any($3)`', 'invitations outlive the right to make them', invitations],
  ]),
  ...faultsIn('server/src/people/throttle.ts', throttles, [
    [
      "`account ${name} ${sourceOf(address)}`, 'attempts', 10);\n  await admit(limiter, `account ${name}`, 'attempts', 200);",
      "`account ${name} ${sourceOf(address)}`, 'attempts', 1000);\n  await admit(limiter, `account ${name}`, 'attempts', 200);",
      'passwords of an account are guessed from one address without a limit',
      signIn,
    ],
    [
      "  await admit(limiter, `account ${name}`, 'attempts', 200);\n",
      '',
      'attempts on an account from anywhere are not counted',
    ],
    [
      'await admit(limiter, sourceOf(address), what, 60);',
      'await admit(limiter, sourceOf(address), what, 6000);',
      'one address guesses at many accounts without a limit',
      passkeys,
    ],
    ['if (site) await admit', 'if (!site) await admit', 'an IPv6 site guesses from each of its networks'],
    [
      "`account ${name}`, 'attempts', 20);",
      "`account ${name}`, 'attempts', 200);",
      'codes are guessed from many addresses',
    ],
    ["'attempts-a-day', 100, day)", "'attempts-a-day', 100)", 'codes are guessed all day'],
    ["'attempts', 100);", "'attempts', 10_000);", 'whoever knew the password once guesses at all devices'],
    ['const name = nameOf(account);', "const name = nameOf('');", 'the attempts on one account lock another one'],
    ['clientAddress(address).replaceAll', 'address.replaceAll', 'each address of an IPv6 network counts apart'],
  ]),
  ...faultsIn('server/src/people/password.ts', guards, [
    [
      '  const parsed = stored ? parse(stored) : undefined;\n',
      '  if (!stored) return false;\n  const parsed = parse(stored);\n',
      'the time of an answer tells whether an account exists',
    ],
    ['return timingSafeEqual(derived, tag)', 'return derived.length === tag.length', 'any password signs in', signIn],
    [' gone }, () =>', ' }, () =>', 'the work of clients that hung up is done all the same', floods],
    [
      'known === undefined ? strangersQueue : knownQueue',
      'strangersQueue',
      'a known person waits behind strangers',
      floods,
    ],
    [
      'key: known ?? siteOf(address) ?? clientAddress(address)',
      "key: 'all'",
      'a flood of one address delays the sign-ins of the others',
      floods,
    ],
  ]),
  ...faultsIn('server/src/people/devices.ts', floods, [
    [
      'own.length === given.length && timingSafeEqual(own, given)',
      'own.length === given.length',
      'any cookie is a known device',
    ],
    ['return `people.device ${account} ${id}`', 'return `people.device ${id}`', 'a device of another account is known'],
  ]),
  ...faultsIn('server/src/people/prove-password.ts', floods, [
    [
      'if (known === undefined) await throttleAttempt(limiter, client.address, account);\n  else await throttleKnown(limiter, known, account);',
      'if (known === undefined) await throttleAttempt(limiter, client.address, account);',
      'a known device guesses without a limit',
    ],
    [
      'throttleAttempt(limiter, client.address, account)',
      'throttleAttempt(limiter, client.address)',
      'guesses at an account are not counted',
    ],
  ]),
  ...faultsIn('server/src/people/prove-address.ts', proofs, [
    ['if (person.proven_at) return;\n  const', 'return;\n  const', 'whoever made the account of an address keeps it'],
    ['if (person.proven_at) return;\n  const', 'const', 'each link ends the passkeys and the app of their owner'],
    [
      "build.deleteFrom('passkeys')",
      "build.deleteFrom('passkeys').where('name', '=', '')",
      'a passkey outlives the proof',
    ],
    ['await endSessionsOf(tx, person_id)', 'person_id.length', 'a session outlives the proof'],
    [
      "await deleteLinksTo(tx, ['reset', 'sign_in'], email);",
      '',
      'a link from before the proof still opens the account',
    ],
    ['    totp_secret: null,\n    totp_enabled_at: null,\n', '', 'an app from before the proof locks the owner out'],
    [
      'password_hash: password_hash ?? null,',
      'password_hash: password_hash ?? person.password_hash,',
      'a password outlives the proof',
    ],
    [
      'if (person.proven_at) return;\n  if (await',
      'if (link.by_hand) return;\n  if (await',
      'an unproven account joins other workspaces',
    ],
    ['if (await hasJoined', 'if (!await hasJoined', 'a former member of the own workspace is refused'],
  ]),
  ...faultsIn('server/src/people/sign-in.ts', proofs, [
    [
      '    if (person.password_hash !== proven.password_hash) throw wrong;\n',
      '',
      'an old password signs in at the moment of the proof',
    ],
  ]),
  ...faultsIn('server/src/people/passkeys/sign-in-with-passkey.ts', proofs, [
    [
      '    if (!(await findPasskey(tx, credential_id))) throw refused();\n',
      '',
      'a passkey signs in at the moment of the proof that ends it',
    ],
  ]),
  ...faultsIn('server/src/people/totp.ts', others, [
    [
      ".where('person_id', '=', person_id)\n    .where('code_hash', '=', hashCode(code))",
      ".where('code_hash', '=', hashCode(code))",
      "another person's recovery code signs in",
    ],
  ]),
  ...faultsIn('server/src/console/refuse-other-sites.ts', others, [
    [
      'if (origin === undefined) return true;',
      "if (origin === undefined || origin === 'null') return true;",
      'a sandboxed page of another site writes',
    ],
    ["(isRead && site === 'none')", "site === 'none'", 'a link or a form that a person opens writes'],
  ]),
  ...faultsIn('server/src/people/sign-in-with-code.ts', signIn, [
    ['  await updatePerson(tx, id, { totp_last_step: step });\n', '', 'a code of the app signs in twice'],
    [
      "if (!(await endSession(tx, session.id))) throw new Refusal('sign_in_failed');",
      'await endSession(tx, session.id);',
      'a sign-in half-way goes on after a reset of the password',
      proofs,
    ],
    [
      'if (!session?.awaits_code || !mayAwaitCode(session, clock)) {',
      'if (!session?.awaits_code) {',
      'a password from an hour ago still awaits its code',
      ['server/test/sign-in-late.test.ts'],
    ],
  ]),
  ...faultsIn('server/src/people/accept-invitation.ts', guards, [
    [
      'const proven = await provePassword(context, { account: email, person: known, password, client });',
      'await provePassword(context, { account: email, person: known, password, client });\n  const proven = known;',
      'an invitation opens an existing account',
      signIn,
    ],
    [
      'return link.email === person.email && isOwners(person, link);',
      'return isOwners(person, link);',
      'whoever is signed in takes an invitation to another address',
    ],
    [
      'return known.proven_at !== null || link.by_hand;',
      'return known.proven_at !== null;',
      'a link by hand sets the password of an account',
      proofs,
    ],
    [
      "known ? isOwners(known, link) : link.by_hand && name.trim() === ''",
      'known !== undefined && isOwners(known, link)',
      'an answer tells whether an address has an account',
      proofs,
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
    ['if (mayAct(manager.role, role)) return;', 'if (role) return;', 'an admin makes owners', invitations],
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
  ...faultsIn(
    'server/src/http/body/check-again.ts',
    ['server/test/rights-in-writes.test.ts'],
    [['>= freshMs) await check', '< freshMs) await check', 'an ended session gets a stored answer']],
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
      'url?.origin === origin && url.protocol === protocol ? url.href : `${origin}/`',
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
      "if (!isLinked && person.oidc_issuer === issuer) throw new Refusal('oidc_other_account');",
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
  ...faultsIn('server/src/people/audit.ts', records, [
    [".where('a.workspace_id', '=', workspace_id)\n", '', 'an admin reads the activity of another workspace'],
  ]),
];
