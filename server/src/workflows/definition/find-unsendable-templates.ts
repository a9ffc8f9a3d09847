import type { ErrorDetail } from '@majlis/contract';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { readArray, readMember } from '../../platform/read-json.ts';
import { applyParams, describeMisfit, type FillableTemplate, findUnsendable } from '../../templates/apply-params.ts';
import { listVariables } from '../run/expand.ts';
import type { Program, WorkflowStep } from './definition.ts';
import { describePlace } from './describe-place.ts';

interface StoredTemplate extends FillableTemplate {
  name: string;
  language: string;
}

// Another account of the workspace may have a template of the same name.
const selectTemplates = statement<StoredTemplate>(`
  select name, language, category, components, parameter_format from templates where workspace_id = $1 and name = any ($2::text[])`);

/** Faults of steps whose template is known, and no values of variables make sendable. An unknown one may come later. */
export async function findUnsendableTemplates(
  connection: Connection,
  workspace_id: string,
  programs: readonly { definition: Program; pointer: string }[],
): Promise<ErrorDetail[]> {
  const sent = programs.flatMap(({ definition, pointer }) =>
    definition.instructions.flatMap(({ step, pointer: place }) => {
      const template = readTemplate(step);
      return template ? [{ ...template, step, pointer: `${pointer}${place}${template.member}` }] : [];
    }),
  );
  if (sent.length === 0) return [];
  const rows = await selectTemplates(connection, [workspace_id, [...new Set(sent.map(({ name }) => name))]]);
  return sent.flatMap(({ name, language, params, step, pointer }) => {
    const known = rows.filter((row) => row.name === name && row.language === language);
    const reasons = known.map((row) => findReason(row, params));
    const reason = reasons.every((one) => one !== undefined) ? reasons[0] : undefined;
    return reason === undefined ? [] : [{ detail: `${describePlace(step)}: ${reason}`, pointer }];
  });
}

function findReason(template: StoredTemplate, params: readonly string[]): string | undefined {
  const unsendable = findUnsendable(template);
  if (unsendable) return unsendable;
  const result = applyParams(template, params);
  return result.ok ? undefined : describeMisfit(result, params);
}

/** The template that a step names without variables. `member`: the JSON pointer to it in the step. */
function readTemplate(step: WorkflowStep) {
  const isStep = step.do === 'send_template';
  const message = step.do === 'send_message' || step.do === 'ask' ? step.message : undefined;
  const template = isStep ? step : readMember(message, 'template');
  const name = readMember(template, isStep ? 'template' : 'name');
  const language = readMember(template, 'language');
  const params = readMember(template, 'params') ?? [];
  if ((!isStep && readMember(message, 'kind') !== 'template') || !isLiteral(name) || !isLiteral(language))
    return undefined;
  if (!Array.isArray(params)) return undefined;
  return { name, language, params: readArray(params).map(String), member: isStep ? '/template' : '/message/template' };
}

function isLiteral(value: unknown): value is string {
  return typeof value === 'string' && listVariables(value).length === 0;
}
