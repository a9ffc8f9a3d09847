import type { Template, TemplateComponent, TemplateReview } from '@majlis/contract';
import { publicId } from '../database/ids.ts';

/** The columns of `templates` that the contract shows. */
export interface TemplateRow {
  id: string;
  name: string;
  language: string;
  category: string;
  components: TemplateComponent[];
  status: string;
  rejection_reason: string | null;
  quality: string | null;
  updated_at: Date;
}

/** A row of `template_reviews`. */
export type ReviewRow = Pick<TemplateRow, 'status' | 'rejection_reason' | 'updated_at'>;

export function presentTemplate(row: TemplateRow): Template {
  return {
    id: publicId('template', row.id),
    name: row.name,
    language: row.language,
    category: row.category as Template['category'],
    components: row.components.flatMap(presentComponent),
    status: row.status as Template['status'],
    ...(row.rejection_reason !== null && { rejection_reason: row.rejection_reason }),
    ...(row.quality !== null && { quality: row.quality }),
    updated_at: row.updated_at.toISOString(),
  };
}

const types: readonly string[] = ['header', 'body', 'footer', 'buttons'];
const formats: readonly string[] = ['text', 'image', 'video', 'document'];

/** A component as the contract has it: a type or a format that it does not enumerate is left out. */
function presentComponent({ type, format, text, examples, buttons }: TemplateComponent): TemplateComponent[] {
  if (type === undefined || !types.includes(type)) return [];
  return [
    {
      type,
      ...(format !== undefined && formats.includes(format) && { format }),
      ...(text !== undefined && { text }),
      ...(examples !== undefined && { examples }),
      ...(buttons !== undefined && { buttons }),
    },
  ];
}

export function presentReview({ status, rejection_reason, updated_at }: ReviewRow): TemplateReview {
  return {
    status: status as Template['status'],
    ...(rejection_reason !== null && { rejection_reason }),
    updated_at: updated_at.toISOString(),
  };
}
