import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn('server/src/media/link.ts', ['server/test/media-sending.test.ts'], []),
  ...faultsIn(
    'server/src/media/rules.ts',
    ['server/test/media.test.ts'],
    [
      [
        '/^(image\\/(jpeg|png|gif|webp|avif)',
        '/^(text\\/html|image\\/(jpeg|png|gif|webp|avif)',
        'a page that somebody uploads runs in the browser',
        ['server/test/media.test.ts', 'server/test/media-receiving.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/media/receive-file.ts',
    ['server/test/media.test.ts'],
    [
      [
        'size_bytes > maxMediaBytes(mime)',
        'size_bytes >= maxMediaBytes(mime)',
        'a file of exactly the limit is refused',
      ],
    ],
  ),
  ...faultsIn('server/src/media/sweep-media.ts', ['server/test/media-sweep.test.ts'], []),
  ...faultsIn(
    'server/src/media/remove-media.ts',
    ['server/test/media-sweep.test.ts', 'server/test/erase-contact.test.ts'],
    [
      [
        'locked.filter((id) => !named.has(id)),',
        'locked,',
        'an upload that a workflow names is removed',
        ['server/test/media-sweep.test.ts', 'server/test/erase-contact.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/media/provide-platform-media.ts',
    ['server/test/long-jobs.test.ts', 'server/test/media-sending.test.ts'],
    [
      [
        'return holdLease(pool, job, config.leaseSeconds, () => upload);',
        'return upload;',
        'a long upload does not renew its lease',
        ['server/test/long-jobs.test.ts'],
      ],
    ],
  ),
];
