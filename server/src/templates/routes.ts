import { operations } from '@majlis/contract';
import { parseId } from '../database/ids.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { withinQuota } from '../workspaces/within-quota.ts';
import { createTemplate } from './create-template.ts';
import { deleteTemplate } from './delete-template.ts';
import { presentReview, presentTemplate } from './present.ts';
import { findTemplate, listReviews, listTemplates } from './read-templates.ts';

export function templateRoutes(serve: Serve, { config, pool, clock }: Resources): void {
  serve.read(operations.listTemplates, async ({ caller: { workspace_id }, query }) => {
    const rows = await listTemplates(pool, workspace_id, query);
    return { data: rows.map(presentTemplate) };
  });

  serve.write(operations.createTemplate, async (tx, { caller: { workspace_id }, body }) => {
    const template = await withinQuota(tx, config.quotas, { workspace_id, kind: 'templates' }, () =>
      createTemplate(tx, clock, workspace_id, body),
    );
    return { status: 201, body: presentTemplate(template) };
  });

  serve.read(operations.getTemplate, async ({ caller: { workspace_id }, params }) => {
    const id = parseId('template', params.template_id);
    const row = id && (await findTemplate(pool, workspace_id, id));
    if (!row) throw new Refusal('not_found');
    const reviews = await listReviews(pool, workspace_id, id);
    return { ...presentTemplate(row), review_history: reviews.map(presentReview) };
  });

  serve.write(operations.deleteTemplate, async (tx, { caller: { workspace_id }, params }) => {
    const template_id = parseId('template', params.template_id);
    if (!template_id) throw new Refusal('not_found');
    await deleteTemplate(tx, clock, { workspace_id, template_id });
    return { status: 204, body: undefined };
  });
}
