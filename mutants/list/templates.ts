import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/templates/rules.ts',
    ['server/src/templates/rules.test.ts', 'server/test/delete-template.test.ts'],
    [
      [
        'now.getTime() < deleted_at.getTime() + nameBlockMs',
        'now.getTime() <= deleted_at.getTime() + nameBlockMs',
        'a deleted name stays blocked after exactly 30 days',
        [
          'server/test/delete-template.test.ts',
          'server/src/templates/rules.test.ts',
          'server/test/templates-removal.test.ts',
        ],
      ],
      [
        'submissions[maxPerHour - 1]',
        'submissions[maxPerHour]',
        'the 101st template of an hour is submitted, and refused for good',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/templates/apply-params.ts',
    ['server/src/templates/apply-params.test.ts'],
    [['given.length !== keys.length', 'given.length < keys.length', 'a send with too many values is accepted']],
  ),
  ...faultsIn(
    'server/src/templates/platform/compare-listing.ts',
    ['server/src/templates/platform/compare-listing.test.ts'],
    [
      ['before.updated_at > listed_at', 'before.updated_at < listed_at', 'an older list takes back a newer change'],
      [
        'wasThere && !present.has(key) && isSettled',
        '!present.has(key) && isSettled',
        'a template in submission is deleted',
      ],
      ['one.removed_at === null && keyOf', 'keyOf', 'a new template with a name that is free again is ignored'],
    ],
  ),
  ...faultsIn(
    'server/src/templates/record-changes.ts',
    ['server/test/templates-reports.test.ts'],
    [['...(hasNewStatus(change) ?', '...(change ?', 'a change that is no new status is told by an event']],
  ),
  ...faultsIn(
    'server/src/templates/platform/submit-template.ts',
    ['server/test/create-template.test.ts', 'server/test/templates-media.test.ts'],
    [
      [
        'await holdLease(pool, job, config.leaseSeconds, () => provide(account, template))',
        'await provide(account, template)',
        'a long upload of a sample does not renew its lease',
        ['server/test/long-jobs.test.ts'],
      ],
    ],
  ),
];
