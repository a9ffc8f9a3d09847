import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/contacts/rules.ts',
    ['server/test/contacts-writing.test.ts'],
    [
      [
        'consents: { ...fields.consents, ...consents }',
        'consents: { ...consents }',
        'an update forgets the consents that it does not name',
        ['server/test/contacts-writing.test.ts', 'server/test/contacts.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/contacts/write/set-marketing-consents.ts',
    ['server/test/receiving-people.test.ts'],
    [
      ['(c.marketing_told_at = $4 and not $3)', 'false', 'of two choices of one second, the one to stop is lost'],
      ['c.marketing_told_at < $4 or', 'true or', 'a redelivered stop takes back a newer opt-in'],
    ],
  ),
  ...faultsIn(
    'server/src/contacts/erase/lock-contacts.ts',
    ['server/test/erase-contact.test.ts', 'server/test/merge-contacts.test.ts'],
    [
      [
        'await copyFormerNames(tx, [workspace_id, survivor_id, source_id]);',
        '',
        'an erasure after a merge leaves the old number behind',
        [
          'server/test/merge-contacts.test.ts',
          'server/test/changed-numbers.test.ts',
          'server/test/erase-contact.test.ts',
        ],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/contacts/erase/merge-contacts.ts',
    ['server/test/merge-contacts.test.ts'],
    [['if (survivor === source) throw', 'if (!survivor) throw', 'a contact that is merged with itself is deleted']],
  ),
  ...faultsIn(
    'server/src/contacts/rules.ts',
    ['server/test/custom-fields.test.ts', 'server/test/contacts-writing.test.ts'],
    [
      ["typeof value === 'string' && IsDate(value)", "typeof value === 'string'", 'a date may be any text'],
      ['options?.some((option) => option === value)', 'options', 'a select takes a value beyond its options'],
    ],
  ),
  ...faultsIn(
    'server/src/contacts/normalize-phone.ts',
    ['server/src/contacts/normalize-phone.test.ts', 'server/test/contacts-writing.test.ts'],
    [['number.isValid() ||', 'number.isPossible() ||', 'a number that does not exist becomes a contact']],
  ),
  ...faultsIn('server/src/contacts/list/list-contacts.ts', ['server/test/contacts.test.ts'], []),
];
