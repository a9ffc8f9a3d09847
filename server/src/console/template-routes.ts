import { type ComingCategory, consoleOperations } from '@majlis/console-api';
import { countTemplateUse } from '../analytics/count-use.ts';
import { publicId } from '../database/ids.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import type { Resources } from '../process/resources.ts';
import { type ComingCategoryRow, findTemplate, listComingCategories } from '../templates/read-templates.ts';
import type { ServeConsole } from './serve-console.ts';

export function templateRoutes(serve: ServeConsole, { pool }: Resources): void {
  serve(consoleOperations.listComingCategories, async ({ caller: { workspace_id } }) => ({
    status: 200,
    body: { data: (await listComingCategories(pool, workspace_id)).map(presentComingCategory) },
  }));
  serve(consoleOperations.getTemplateUse, async ({ caller: { workspace_id }, params }) => {
    const template = await findTemplate(pool, workspace_id, requireId('template', params.template_id));
    if (!template) throw new Refusal('not_found');
    return { status: 200, body: await countTemplateUse(pool, workspace_id, template) };
  });
}

function presentComingCategory({ id, coming_category, category_changes_at }: ComingCategoryRow): ComingCategory {
  return {
    template_id: publicId('template', id),
    category: coming_category as ComingCategory['category'],
    ...(category_changes_at && { changes_at: category_changes_at.toISOString() }),
  };
}
