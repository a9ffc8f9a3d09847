import type {
  TemplateCategoryItem,
  TemplateChangeItem,
  TemplateQualityItem,
  TemplateStatusItem,
} from '../account-items.ts';
import type { JsonObject } from '../json-object.ts';
import type { AccountOrigin } from '../origin.ts';
import { readId, readText } from '../read-json.ts';
import { readTimestamp } from '../read-timestamp.ts';
import { readCategory } from '../templates/read-category.ts';
import { readLanguage, readRejectionReason, readTemplateStatus } from '../templates/template-status.ts';

// Webhooks about templates (section 5.8).

/** Quality changes were seen under this field too; their shape tells them apart. */
export function readTemplateReview(
  value: JsonObject,
  origin: AccountOrigin,
): TemplateStatusItem | TemplateQualityItem | TemplateChangeItem {
  if (value.event === undefined && value.new_quality_score !== undefined) return readTemplateQuality(value, origin);
  const template = readTemplateOrigin(value, origin);
  const status = readTemplateStatus(value.event);
  // The platform's list knows which template it is, and the state of an event that this version does not know.
  if (template === undefined || status === undefined) return readTemplateChange(value, origin);
  const reason = readRejectionReason(value.reason);
  return { type: 'template_status', ...template, status, ...(reason ? { reason } : {}) };
}

export function readTemplateQuality(
  value: JsonObject,
  origin: AccountOrigin,
): TemplateQualityItem | TemplateChangeItem {
  const template = readTemplateOrigin(value, origin);
  const quality = readText(value.new_quality_score);
  if (template === undefined || quality === undefined) return readTemplateChange(value, origin);
  return { type: 'template_quality', ...template, quality };
}

export function readTemplateCategory(
  value: JsonObject,
  origin: AccountOrigin,
): TemplateCategoryItem | TemplateChangeItem {
  const template = readTemplateOrigin(value, origin);
  const category = readCategory(value.new_category);
  const announced_category = readCategory(value.correct_category);
  if (template === undefined || !(category ?? announced_category)) return readTemplateChange(value, origin);
  const announced_for = readTimestamp(value.category_update_timestamp);
  return {
    type: 'template_category',
    ...template,
    ...(category ? { category } : {}),
    ...(announced_category ? { announced_category } : {}),
    ...(announced_category && announced_for ? { announced_for } : {}),
  };
}

/** Any other report on templates: they are read again, whatever it says. */
export function readTemplateChange(_value: JsonObject, origin: AccountOrigin): TemplateChangeItem {
  return { type: 'template_change', ...origin };
}

function readTemplateOrigin(value: JsonObject, origin: AccountOrigin) {
  const platform_template_id = readId(value.message_template_id);
  if (platform_template_id === undefined) return undefined;
  const name = readText(value.message_template_name);
  const language = readLanguage(value.message_template_language);
  return { ...origin, platform_template_id, ...(name ? { name } : {}), ...(language ? { language } : {}) };
}
