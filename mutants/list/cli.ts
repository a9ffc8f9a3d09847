import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/cli/listen/listen.ts',
    ['server/test/process/cli-listen.test.ts'],
    [
      ['new Set([...state.confirmed, ', 'new Set([', 'a listener that was killed forwards confirmed events again'],
      [
        "if (kind !== 'unavailable' && kind !== 'limited') throw explainPosition(error)",
        'throw explainPosition(error)',
        'a restart of the service ends the listener',
        ['server/test/faults/kill-in-listen.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/cli/listen/deliver-event.ts',
    ['server/test/process/cli-listen.test.ts'],
    [
      [
        "if (outcome.type === 'away') {",
        "if (outcome.type === 'away' && absences < 0) {",
        'events pass one that waits for an absent receiver',
      ],
      ['state.waiting.push({', 'void ({', 'an event that was refused three times is lost'],
    ],
  ),
  ...faultsIn(
    'server/src/cli/profiles.ts',
    ['server/test/process/cli.test.ts'],
    [
      [
        "await open(fresh, 'wx', 0o600)",
        "await open(fresh, 'wx', 0o644)",
        'others on the machine can read the API key',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/cli/printable.ts',
    ['server/test/process/cli.test.ts'],
    [['return text.replace(dangerous, escapeCharacter)', 'return text', "a customer's name controls the terminal"]],
  ),
];
