import type { ErrorDetail } from '@majlis/contract';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Program, WorkflowStep } from './definition.ts';
import { describePlace } from './describe-place.ts';

const tables = ['stages', 'users', 'teams', 'ai_agents', 'closing_categories', 'custom_fields', 'workflows'] as const;
type Table = (typeof tables)[number];

const nouns: Record<Table, string> = {
  ...{ stages: 'stage', users: 'user', teams: 'team', ai_agents: 'AI agent', custom_fields: 'custom field' },
  ...{ closing_categories: 'closing reason', workflows: 'workflow' },
};

const selectNames = statement<{ kind: Table; name: string }>(`
  select 'stages' as kind, name from stages where workspace_id = $1 and removed_at is null
  union all select 'users', email from users where workspace_id = $1
  union all select 'teams', name from teams where workspace_id = $1 and removed_at is null
  union all select 'ai_agents', name from ai_agents where workspace_id = $1
  union all select 'closing_categories', name from closing_categories where workspace_id = $1 and removed_at is null
  union all select 'workflows', name from workflows where workspace_id = $1`);

/** Faults of steps that name unknown things of the workspace. */
export async function findUnknownNames(
  connection: Connection,
  workspace_id: string,
  programs: readonly { definition: Program; pointer: string }[],
  /** Names of the workflows in the same file. */
  workflows: readonly string[],
): Promise<ErrorDetail[]> {
  const named = programs.flatMap(({ definition, pointer }) =>
    definition.instructions.flatMap(({ step, pointer: place }) => {
      const name = findName(step);
      // A name with a variable is known only when the step runs.
      return name && !name.text.includes('{{') ? [{ ...name, step, pointer: `${pointer}${place}/${name.member}` }] : [];
    }),
  );
  if (named.length === 0) return [];
  const rows = await selectNames(connection, [workspace_id]);
  const known = new Set([
    ...rows.map(({ kind, name }) => `${kind} ${name}`),
    ...workflows.map((name) => `workflows ${name}`),
  ]);
  return named.flatMap(({ table, text, member, step, pointer }) => {
    if (known.has(`${table} ${text}`)) return [];
    return [{ detail: `${describePlace(step)}: ${member} names no ${nouns[table]} of the workspace`, pointer }];
  });
}

function findName(step: WorkflowStep): { table: Table; member: string; text: string } | undefined {
  switch (step.do) {
    case 'set_stage':
      return step.stage === null ? undefined : { table: 'stages', member: 'stage', text: step.stage };
    case 'assign':
      if (step.user) return { table: 'users', member: 'user', text: step.user };
      return step.team ? { table: 'teams', member: 'team', text: step.team } : undefined;
    case 'hand_over':
      return step.agent === undefined ? undefined : { table: 'ai_agents', member: 'agent', text: step.agent };
    case 'close':
      return step.category === undefined
        ? undefined
        : { table: 'closing_categories', member: 'category', text: step.category };
    case 'start_workflow':
      return { table: 'workflows', member: 'workflow', text: step.workflow };
    default:
      return undefined;
  }
}
