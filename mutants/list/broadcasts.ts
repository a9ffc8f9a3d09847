import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/broadcasts/tier.ts',
    ['server/test/broadcasts-tier.test.ts'],
    [
      [
        'Math.max(0, messaging_tier - reached)',
        'Math.max(0, messaging_tier - reached + 1)',
        'a broadcast reaches one customer more than the tier allows',
      ],
      ['e.taken_at > $3`;', 'false`;', 'an erasure gives back a place of the tier'],
      [
        "'broadcasts.tier ' || ch.workspace_id || ' ' || ch.waba_id",
        "'broadcasts.tier ' || ch.workspace_id || ' ' || ch.id",
        'two numbers of an account pass its tier together',
        ['server/test/broadcasts-tier.accounts.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/broadcasts/queries.ts',
    ['server/test/broadcasts.test.ts', 'server/test/broadcasts-tier.test.ts'],
    [
      [
        '(c.tags && b.tags or c.stage_id = b.stage_id)',
        '(c.tags && b.tags or c.stage_id is not distinct from b.stage_id)',
        'a broadcast to a tag reaches contacts without it',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/broadcasts/send-batch.ts',
    ['server/test/broadcasts.test.ts', 'server/test/broadcasts-large.test.ts'],
    [
      [
        "broadcast?.status !== 'sending') return;",
        '!broadcast) return;',
        'a cancelled broadcast goes on',
        ['server/test/broadcasts.test.ts'],
      ],
      [
        '!takes_place || left-- > 0',
        'left-- > 0',
        'an open window waits for the tier',
        ['server/test/broadcasts-tier.test.ts'],
      ],
      [
        'const isHeld = broadcast.paused_at && ',
        'const isHeld = false && ',
        'a paused broadcast goes on sending',
        ['server/test/broadcast-console.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/broadcasts/pause-broadcast.ts',
    ['server/test/broadcast-console.test.ts'],
    [
      ['if (held_payload === null) return;', '', 'a broadcast that resumes has two jobs or fails'],
      ["throw new Refusal('broadcast_ended');", 'return broadcast;', 'a cancelled broadcast is paused without a word'],
    ],
  ),
  ...faultsIn(
    'server/src/broadcasts/preview-broadcast.ts',
    ['server/test/broadcast-console.test.ts'],
    [
      [
        "else if (contact_id && reachedContacts.has(contact_id)) exclude('repeated', shown);",
        '',
        'the preview counts a contact with two numbers twice',
      ],
      [
        "mayAct(caller.role, 'admin') && (await readWallet(pool, workspace_id))",
        'await readWallet(pool, workspace_id)',
        'a supervisor sees the wallet',
      ],
    ],
  ),
];
