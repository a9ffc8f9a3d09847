import type { JsonObject } from '../json-object.ts';
import { readId } from '../read-json.ts';
import { PlatformRefusal } from '../refusal.ts';
import { classifyError } from '../send/classify-error.ts';
import type { PlatformError } from '../send-outcome.ts';
import type { TemplateCreation, TemplateFailure } from '../template.ts';
import { readCategory } from './read-category.ts';
import { readTemplateStatus } from './template-status.ts';

/** Reads the answer to a template's creation. An answer without the id counts as no answer. */
export function readTemplateCreation(body: JsonObject): TemplateCreation {
  const platform_template_id = readId(body.id);
  if (platform_template_id === undefined) return { type: 'away', reason: 'the answer does not name the template' };
  const category = readCategory(body.category);
  const status = readTemplateStatus(body.status);
  return {
    type: 'created',
    platform_template_id,
    status: status === 'deleted' ? undefined : status,
    ...(category ? { category } : {}),
  };
}

/** Classifies the failure of a call on a template. Rethrows errors of other origin. */
export function readTemplateFailure(failure: unknown): TemplateFailure {
  if (!(failure instanceof PlatformRefusal)) throw failure;
  const { error } = failure;
  if (!error || isOfAccount(error)) return { type: 'away', reason: failure.message };
  if (error.code === 100 && error.subcode === alreadyThere) return { type: 'exists' };
  return { type: 'refused', error, doubtful: classifyError(error) === undefined };
}

/** "Content in this language already exists for the name" (section 5.2). */
const alreadyThere = 2_388_024;

/** The fault lies with the account, its token or the platform, not the template: a retry can succeed. */
function isOfAccount(error: PlatformError): boolean {
  if (error.transient || [3, 33].includes(error.code) || (error.code === 100 && error.subcode === 33)) return true;
  const known = classifyError(error);
  return known !== undefined && (known.retry !== 'never' || known.channel_fault !== undefined);
}
