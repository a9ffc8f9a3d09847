import { faultsIn } from '../fault.ts';

const rotation = ['server/test/secret-rotation.test.ts'];

export const faults = [
  ...faultsIn(
    'server/src/secrets/encrypt.ts',
    ['server/src/secrets/encrypt.test.ts'],
    [
      [
        'Buffer.concat([Buffer.of(version), Buffer.from(context)])',
        'Buffer.of(version)',
        'a sealed secret that was copied to another place opens there',
      ],
      [
        "const place = `${context} ${sealed.toString('latin1')}`;",
        "const place = sealed.toString('latin1');",
        'a sealed secret that was opened once opens in every place',
      ],
      [
        'const nonce = randomBytes(nonce_bytes);',
        'const nonce = Buffer.alloc(nonce_bytes);',
        'equal secrets are sealed alike',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/secrets/encrypt.ts',
    ['server/src/secrets/encrypt.test.ts'],
    [
      ['const all = [present, ...old];', 'const all = [present];', 'an old key opens nothing'],
      [
        'return [heads.present, ...heads.old].some(',
        'return [heads.present].some(',
        'what an old key sealed counts as lost',
      ],
      ['if (secret_key.length < 16)', 'if (secret_key.length < 15)', 'a key of 15 bytes is taken'],
      [
        'fingerprints: (text) => all.map',
        'fingerprints: (text) => [present].map',
        'a stored fingerprint of the old key is not found',
      ],
      ['{ authTagLength: tag_bytes }', '{ authTagLength: 4 }', 'a cut seal opens'],
    ],
  ),
  ...faultsIn('server/src/people/sealed-people.ts', rotation, [
    [
      'where id = $1 and totp_secret = $2',
      'where id = $1 and $2::bytea is not null',
      'sealing again overwrites a TOTP secret that changed meanwhile',
    ],
  ]),
  ...faultsIn('server/src/channels/sealed-channels.ts', rotation, [
    [
      'and access_token = $3 and',
      'and $3::bytea is not null and',
      'sealing again overwrites an access token that changed meanwhile',
    ],
    [
      'and app_secret = $4 and',
      'and $4::bytea is not null and',
      'sealing again overwrites an app secret that changed meanwhile',
    ],
    [
      'and verify_token = $5`',
      'and $5::bytea is not null`',
      'sealing again overwrites a verify token that changed meanwhile',
    ],
    [
      'app_secret?.hash ?? row.app_secret_fingerprint',
      'row.app_secret_fingerprint',
      'notifications find no channel by a secret that was sealed again',
    ],
    [
      'verify_token?.hash ?? row.verify_token_fingerprint',
      'row.verify_token_fingerprint',
      'the platform finds no channel by a token that was sealed again',
    ],
  ]),
  ...faultsIn('server/src/webhook-endpoints/sealed-endpoints.ts', rotation, [
    [
      'and secret = $3 and',
      'and $3::bytea is not null and',
      'sealing again overwrites a webhook secret that was rotated meanwhile',
    ],
    [
      'and old_secret is not distinct from $4`',
      'and $4::bytea is not distinct from $4`',
      'sealing again overwrites an old webhook secret that changed meanwhile',
    ],
  ]),
  ...faultsIn('server/src/workflows/definition/sealed-workflows.ts', rotation, [
    [
      'and version = $3 and definition::text = $4`',
      'and version = $3 and $4::text is not null`',
      'sealing again overwrites a workflow that changed meanwhile',
    ],
  ]),
  ...faultsIn('server/src/contacts/erase/receipts/receipt-keys.ts', rotation, [
    [
      'where id = $1 and private_key = $2',
      'where id = $1 and $2::bytea is not null',
      'sealing again overwrites a receipt key that changed meanwhile',
    ],
  ]),
  ...faultsIn('server/src/secrets/reseal-secrets.ts', rotation, [
    [
      '  return (await countWaiting(pool, secretBox)) > 0;',
      '  return false;',
      'the old key may go while a waiting notification needs it',
    ],
    ['        await row.reseal(pool);\n', '', 'nothing is sealed again'],
  ]),
  ...faultsIn('server/src/secrets/sealed-rows.ts', rotation, [
    [
      'heads: [heads.present, ...heads.old], is_among: false',
      'heads: [heads.present], is_among: false',
      'what the old key sealed counts as lost during a rotation',
    ],
  ]),
];
