import { faultsIn } from '../fault.ts';

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
];
