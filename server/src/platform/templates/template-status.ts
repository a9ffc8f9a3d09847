import type { PlatformTemplateStatus } from '../template.ts';

/** Maps the platform's template states (section 5.5) to the contract's six; `undefined` for an unknown state. */
export function readTemplateStatus(value: unknown): PlatformTemplateStatus | 'deleted' | undefined {
  return typeof value === 'string' ? states.get(value.toUpperCase()) : undefined;
}

const states = new Map<string, PlatformTemplateStatus | 'deleted'>([
  ['PENDING', 'pending'],
  ['IN_APPEAL', 'pending'],
  ['APPROVED', 'approved'],
  ['REINSTATED', 'approved'],
  ['FLAGGED', 'approved'],
  ['UNARCHIVED', 'approved'],
  ['REJECTED', 'rejected'],
  ['PAUSED', 'paused'],
  ['DISABLED', 'disabled'],
  ['LOCKED', 'disabled'],
  ['LIMIT_EXCEEDED', 'disabled'],
  ['ARCHIVED', 'disabled'],
  ['PENDING_DELETION', 'deleted'],
  ['DELETED', 'deleted'],
]);

/** `null` and `"NONE"` mean no reason. */
export function readRejectionReason(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value !== 'NONE' ? value : undefined;
}

/** Some webhooks write `en-US` for `en_US`. */
export function readLanguage(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.replace('-', '_') : undefined;
}
