import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/jobs/queries.ts',
    ['server/src/jobs/queries.test.ts'],
    [
      [
        'jobs.attempts = held.attempts and jobs.leased_until > clock_timestamp()',
        'jobs.leased_until > clock_timestamp()',
        'a worker that lost its job begins it',
      ],
      [
        'jobs.attempts = held.attempts and jobs.leased_until > clock_timestamp()',
        'jobs.attempts = held.attempts',
        'a worker whose lease has ended begins its job',
      ],
      [
        'where jobs.id = held.id and jobs.attempts = held.attempts\n  returning jobs.id',
        'where jobs.id = held.id\n  returning jobs.id',
        'a worker that lost its job ends it for the one that has it',
      ],
      [
        'started_at = case when held.interrupted then started_at end',
        'started_at = null',
        'an interrupted job forgets that it passed its point of no return',
      ],
      [
        'failures = failures + held.failed',
        'failures = failures',
        'a failing job is tried again without a growing delay',
        ['server/src/jobs/queries.test.ts', 'server/src/jobs/run-jobs.test.ts'],
      ],
      [
        'queue_key = case when not held.leaves_queue then queue_key end',
        'queue_key = queue_key',
        'a job that left its queue blocks the jobs behind it',
        ['server/src/jobs/queries.test.ts', 'server/test/receiving.test.ts'],
      ],
      [
        '$2 for share`',
        '$2`',
        'an erasure takes a job whose item is being applied',
        ['server/src/jobs/queries.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/jobs/claim-jobs.ts',
    ['server/src/jobs/queries.test.ts'],
    [
      [
        'o.queue_key = j.queue_key and o.id < j.id',
        'o.queue_key = j.queue_key and o.id < j.id and false',
        'two jobs of one queue run at once',
        ['server/src/jobs/queries.test.ts', 'server/src/jobs/queue-order.test.ts'],
      ],
      [
        'and (j.leased_until is null or j.leased_until < clock_timestamp())',
        '',
        'a job that is running is claimed again',
      ],
      ['j.run_at >= $10 and j.run_at <= $2', 'j.run_at >= $10', 'a job runs before its time'],
      ['p.paused_until > $2 from', 'p.paused_until < $2 from', 'a paused group runs'],
      [
        'limit greatest($4 - coalesce',
        'limit greatest($4 + 1 - coalesce',
        'a group runs one more job at once than it may',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/jobs/leases.ts',
    ['server/src/jobs/queries.test.ts'],
    [
      [
        'and id <> all ($3::bigint[])',
        'and $3::bigint[] is not null',
        'a job that this worker runs is freed, and runs twice',
      ],
      [
        'where worker_id = any ($2::int[]) and leased_until > clock_timestamp() and ${noLock}',
        'where worker_id = any ($2::int[]) and leased_until > clock_timestamp()',
        'a live worker loses its jobs',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/jobs/hold-lease.ts',
    ['server/src/jobs/hold-lease.test.ts'],
    [
      [
        'setInterval(renew, (lease_seconds * 1000) / 3)',
        'setInterval(renew, lease_seconds * 1000 * 3)',
        'a long job does not renew its lease',
      ],
      [
        'attempts = $2 and leased_until > clock_timestamp()',
        'attempts >= $2',
        'a worker that lost its job takes it back',
      ],
    ],
  ),
  ...faultsIn(
    'server/src/jobs/repeat-job.ts',
    ['server/test/long-jobs.test.ts'],
    [
      [
        'await holdLease(pool, job, config.leaseSeconds, perform);',
        'await perform();',
        'a long sweep does not renew its lease',
      ],
      [
        'if (!(await supersede(pool, job)))',
        'if (false)',
        'a recurring job runs twice as often after a start of two processes',
        ['server/src/jobs/supersede.test.ts', 'server/test/media-sweep.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/jobs/supersede.ts',
    ['server/src/jobs/supersede.test.ts'],
    [['id < $3 and (leased', 'id <> $3 and (leased', 'the younger of two recurring jobs is taken away too']],
  ),
  ...faultsIn(
    'server/src/jobs/backoff.ts',
    ['server/src/jobs/backoff.test.ts'],
    [['Math.min(2 ** failures, 300)', 'Math.min(2 ** failures, 3_000)', 'a retry waits for most of an hour']],
  ),
  ...faultsIn(
    'server/src/jobs/stage-jobs.ts',
    ['server/src/jobs/queue-order.test.ts', 'server/src/jobs/queries.test.ts'],
    [
      [
        'queue_key not in (select queue_key from locked)',
        'queue_key not in (select queue_key from firsts)',
        'a job is forgotten whose predecessor goes at the same moment',
      ],
      ['wakes_at <= $2\n', 'wakes_at < $2\n', 'a job of this very moment stays asleep'],
    ],
  ),
  ...faultsIn(
    'server/src/jobs/run-handler.ts',
    ['server/src/jobs/run-jobs.test.ts'],
    [
      [
        'failed: true, interrupted: true',
        'failed: true, interrupted: false',
        'a run that threw forgets that it passed its point of no return',
      ],
      ['await lastClaim;', '', 'a stopping process leaves behind the jobs of its last claim'],
    ],
  ),
];
