import { type IdKind, publicId } from '../database/ids.ts';
import type { AppliedWorkspace } from './apply/apply-workspace.ts';
import type { WorkspaceFile } from './apply/workspace-file.ts';

/** Presents the file's lists; each entry has its id and natural key. */
export function presentApplied(file: WorkspaceFile, applied: AppliedWorkspace): object {
  const named = (entries: readonly { name: string }[] = [], ids: Map<string, string>, kind: IdKind) =>
    entries.map(({ name }) => ({ id: publicId(kind, ids.get(name)!), name }));
  return {
    workspace: { id: publicId('workspace', applied.workspace_id), name: file.workspace.name },
    channels: (file.channels ?? []).map(({ phone_number_id }) => ({
      id: publicId('channel', applied.channels.get(phone_number_id)!),
      phone_number_id,
    })),
    stages: named(file.stages, applied.stages, 'stage'),
    closing_categories: named(file.closing_categories, applied.closing_categories, 'closing_category'),
    users: (file.users ?? []).map(({ email }) => ({ id: publicId('user', applied.users.get(email)!), email })),
    teams: named(file.teams, applied.teams, 'team'),
    ai_agents: named(file.ai_agents, applied.ai_agents, 'ai_agent'),
    workflows: named(file.workflows, applied.workflows, 'workflow'),
    ...(file.templates && { templates: applied.templates.map(presentTemplateId) }),
    api_keys: applied.api_keys,
    ...(file.webhook_endpoints && { webhook_endpoints: applied.webhook_endpoints }),
    ...(applied.kept.length > 0 && { kept: applied.kept }),
  };
}

function presentTemplateId({ id, name, language }: AppliedWorkspace['templates'][number]): object {
  return { id: publicId('template', id), name, language };
}
