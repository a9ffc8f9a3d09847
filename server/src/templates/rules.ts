import { limits } from '@majlis/contract';

/** How long the name of a deleted template cannot be used again, in any language. */
export const nameBlockMs = limits.template_name_block_seconds * 1000;

/** Half open: exactly 30 days after the deletion the name is free. */
export function isNameBlocked(deleted_at: Date | undefined, now: Date): boolean {
  return deleted_at !== undefined && now.getTime() < deleted_at.getTime() + nameBlockMs;
}

const hourMs = 3_600_000;
// New templates per account (platform protocol, section 5.2); the platform refuses any further one for good.
const maxPerHour = 100;

/** When the platform accepts another template. `submissions`: those of the last hour, latest first. */
export function nextSubmission(submissions: readonly Date[], now: Date): Date {
  const last = submissions[maxPerHour - 1];
  return last ? new Date(last.getTime() + hourMs) : now;
}

/** Submissions after this moment count. */
export function hourBefore(now: Date): Date {
  return new Date(now.getTime() - hourMs);
}

/** The types that the platform accepts as a header's sample (platform protocol, section 4.4). */
const sampleTypes: Record<string, readonly string[]> = {
  image: ['image/jpeg', 'image/png'],
  video: ['video/mp4'],
  document: ['application/pdf'],
};

export function isSampleType(format: string, mime: string): boolean {
  return sampleTypes[format]?.includes(mime) ?? false;
}
