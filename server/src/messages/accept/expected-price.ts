import type { SendTarget } from './find-targets.ts';

/** The platform's category of a send: that of its template, with a variant for marketing by a path of its own, else service. */
export function categoryOf(
  { kind }: { kind: string },
  { template_category, marketing_route }: Pick<SendTarget, 'template_category' | 'marketing_route'>,
): string {
  const isLite = template_category === 'marketing' && marketing_route === 'marketing_messages';
  if (kind === 'template' && isLite) return 'marketing_lite';
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
