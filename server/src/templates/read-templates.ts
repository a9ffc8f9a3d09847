import type { NotNull } from 'kysely';
import type { Connection } from '../database/pool.ts';
import { build, run, runFirst } from '../database/query.ts';
import type { ReviewRow, TemplateRow } from './present.ts';

/** The templates of the workspace, of one status or language where given; oldest first. */
export function listTemplates(
  connection: Connection,
  workspace_id: string,
  { status, language }: { status?: string; language?: string },
): Promise<TemplateRow[]> {
  let query = templatesOf(workspace_id).orderBy('id');
  if (status !== undefined) query = query.where('status', '=', status);
  if (language !== undefined) query = query.where('language', '=', language);
  return run(connection, query);
}

export function findTemplate(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<TemplateRow | undefined> {
  return runFirst(connection, templatesOf(workspace_id).where('id', '=', id));
}

/** The review history of a template, oldest first. */
export function listReviews(connection: Connection, workspace_id: string, template_id: string): Promise<ReviewRow[]> {
  const query = build
    .selectFrom('template_reviews')
    .select(['status', 'rejection_reason', 'updated_at'])
    .where('workspace_id', '=', workspace_id)
    .where('template_id', '=', template_id)
    .orderBy('id');
  return run(connection, query);
}

/** A template whose category the platform has announced to change. */
export interface ComingCategoryRow {
  id: string;
  coming_category: string;
  category_changes_at: Date | null;
}

export function listComingCategories(connection: Connection, workspace_id: string): Promise<ComingCategoryRow[]> {
  const query = build
    .selectFrom('templates')
    .select(['id', 'coming_category', 'category_changes_at'])
    .where('workspace_id', '=', workspace_id)
    .where('coming_category', 'is not', null)
    .orderBy('id')
    .$narrowType<{ coming_category: NotNull }>();
  return run(connection, query);
}

function templatesOf(workspace_id: string) {
  return build
    .selectFrom('templates')
    .select(['id', 'name', 'language', 'category', 'components', 'status', 'rejection_reason', 'quality', 'updated_at'])
    .where('workspace_id', '=', workspace_id)
    .$castTo<TemplateRow>();
}
