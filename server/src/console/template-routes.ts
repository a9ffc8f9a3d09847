import { consoleOperations } from '@majlis/console-api';
import { countTemplateUse } from '../analytics/count-use.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import type { Resources } from '../process/resources.ts';
import { findTemplate } from '../templates/read-templates.ts';
import type { ServeConsole } from './serve-console.ts';

export function templateUseRoutes(serve: ServeConsole, { pool }: Resources): void {
  serve(consoleOperations.getTemplateUse, async ({ caller: { workspace_id }, params }) => {
    const template = await findTemplate(pool, workspace_id, requireId('template', params.template_id));
    if (!template) throw new Refusal('not_found');
    return { status: 200, body: await countTemplateUse(pool, workspace_id, template) };
  });
}
