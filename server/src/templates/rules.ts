/** How long the name of a deleted template cannot be used again, in any language. */
export const nameBlockMs = 30 * 24 * 3_600_000;

/** Half open: at the very end of the thirty days the name is free. */
export function isNameBlocked(deleted_at: Date | undefined, now: Date): boolean {
  return deleted_at !== undefined && now.getTime() < deleted_at.getTime() + nameBlockMs;
}

const hourMs = 3_600_000;
// Of new templates in an account (the platform's protocol, section 5.2); one more is refused for good.
const maxPerHour = 100;

/** When the platform takes another template, after those that it took within the hour, the latest first. */
export function nextSubmission(submissions: readonly Date[], now: Date): Date {
  const last = submissions[maxPerHour - 1];
  return last ? new Date(last.getTime() + hourMs) : now;
}

/** The moment after which submissions count. */
export function hourBefore(now: Date): Date {
  return new Date(now.getTime() - hourMs);
}

/** The types that the platform takes as the sample of a header (its protocol, section 4.4). */
const sampleTypes: Record<string, readonly string[]> = {
  image: ['image/jpeg', 'image/png'],
  video: ['video/mp4'],
  document: ['application/pdf'],
};

export function isSampleType(format: string, mime: string): boolean {
  return sampleTypes[format]?.includes(mime) ?? false;
}
