import type { WordId } from '../words/word-id.ts';
import { t } from '../words/words.ts';
import { isolate } from './step-words.ts';

// The service names each fault in English. Those that people meet have words here; the others are shown as they are.
const known: readonly [RegExp, WordId][] = [
  [/(\S+) is required/, 'workflows.fault_required'],
  [/needs either (\S+) or (\S+)/, 'workflows.fault_either'],
  [/must be a time such as/, 'workflows.fault_duration'],
  [/must be at most 366 days/, 'workflows.fault_too_long'],
  [/(\S+) must not have fewer than/, 'workflows.fault_required'],
  [/(\S+) names no .* of the workspace/, 'workflows.fault_unknown_name'],
  [/\{\{(.*)\}\} names no step that comes before it/, 'workflows.fault_no_step'],
  [/\{\{(.*)\}\} (?:begins with none of|is not the name)/, 'workflows.fault_variable'],
  [/another step has this name/, 'workflows.fault_name_taken'],
  [/needs user, team or round_robin/, 'workflows.fault_assign'],
  [/url must begin with https/, 'workflows.fault_url'],
  [/a condition needs one of/, 'workflows.fault_condition'],
  [/(\S+) is not a member of it/, 'workflows.fault_member'],
  [/(\S+) must match pattern/, 'workflows.fault_pattern'],
  [/(\[secret \S+\])/, 'workflows.fault_secret'],
  [/more than 500 steps/, 'workflows.fault_many_steps'],
];

/** A fault of a definition in the language of the console. */
export function faultText(detail: string): string {
  for (const [pattern, word] of known) {
    const match = pattern.exec(detail);
    if (match) return t(word, { a: isolate(match[1] ?? ''), b: isolate(match[2] ?? '') });
  }
  return detail.replace(/^(?:step [^:]*|the workflow): /, '');
}
