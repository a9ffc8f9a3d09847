import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/workflows/run/advance-run.ts',
    ['server/test/workflow-runs.test.ts', 'server/test/workflow-control.test.ts'],
    [
      [
        "if (workflow_status === 'draft') return",
        'if (false) return',
        'a run of a drafted workflow goes on',
        ['server/test/workflow-status.test.ts', 'server/test/workflow-calls.test.ts'],
      ],
      [
        'run.has_control && !controls',
        'false',
        'a run goes on after a person took over',
        ['server/test/workflow-control.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/workflows/run/begin-run.ts',
    ['server/test/workflow-triggers.test.ts', 'server/test/workflow-runs.test.ts'],
    [
      [
        'if (await hasRunningRun(tx, run)) return;',
        '',
        'one contact has two runs of a workflow',
        ['server/test/workflow-triggers.test.ts', 'server/test/workflow-runs.test.ts'],
      ],
      [
        'if (holds === false) return;',
        '',
        'a workflow starts though its conditions do not hold',
        ['server/test/workflow-triggers.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/workflows/run/continue-run.ts',
    ['server/test/workflow-calls.test.ts'],
    [
      [
        'if (job.started_at) return settleCall(job, ref, interrupted);',
        '',
        'an interrupted call is made again',
        ['server/test/workflow-calls.test.ts', 'server/test/faults/kill-in-workflows.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/automation/trigger-workflows.ts',
    ['server/test/workflow-triggers.test.ts'],
    [
      [
        'if (jobs.length > 0 && by?.starts_no_workflows) {',
        'if (jobs.length < 0 && by?.starts_no_workflows) {',
        'a key without scopes sends by the workflow of a stage',
        ['server/test/scopes.test.ts'],
      ],
      [
        'join workflows w on w.workspace_id = n.workspace_id and w.trigger',
        'join workflows w on w.trigger',
        'an event starts a workflow of another workspace',
        ['server/test/workflow-triggers.test.ts', 'server/test/tenant-statements.test.ts', 'scripts/check-database.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/automation/cancel-runs.ts',
    ['server/test/workflow-control.test.ts'],
    [
      [
        "status = 'running' and control = 'bot'`",
        "status = 'running'`",
        'a run that leaves people in control ends when they take over',
        ['server/test/workflow-control.test.ts'],
      ],
    ],
  ),
];
