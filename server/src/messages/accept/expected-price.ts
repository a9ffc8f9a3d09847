import type { SendTarget } from './find-targets.ts';

/** The platform's category of a send: that of its template, else service. */
export function categoryOf(
  { kind }: { kind: string },
  { template_category }: Pick<SendTarget, 'template_category'>,
): string {
  return (kind === 'template' && template_category) || 'service';
}

/**
 * Whether the platform charges nothing for the send. The customer came by an advertisement, and an answer within a day opens a
 * free time of 72 hours (section 11).
 */
export function isInFreeTime(
  { free_until, entry_answerable_until }: Pick<SendTarget, 'free_until' | 'entry_answerable_until'>,
  now: Date,
): boolean {
  return [free_until, entry_answerable_until].some((until) => until !== null && until > now);
}
