/** A status as the platform reports it. */
export type ReportedStatus = 'sent' | 'delivered' | 'read' | 'failed';

const words: readonly ReportedStatus[] = ['sent', 'delivered', 'read', 'failed'];
const chain: readonly ReportedStatus[] = ['sent', 'delivered', 'read'];

/** Every sequence of up to so many statuses, the empty one first. */
export function statusSequences(length: number): ReportedStatus[][] {
  const sequences: ReportedStatus[][] = [[]];
  for (let n = 0; sequences[n]!.length < length; n++) sequences.push(...words.map((word) => [...sequences[n]!, word]));
  return sequences;
}

/** The contract's chain, and what the register of open points says of `failed`, one status at a time. */
export function expectedStatuses(sequence: readonly ReportedStatus[]): ReportedStatus[] {
  const steps: ReportedStatus[] = [];
  for (const status of sequence) {
    const now = steps.at(-1);
    const delivered = steps.includes('delivered') || steps.includes('read');
    if (status === 'failed' ? !delivered && now !== 'failed' : isLater(status, now)) steps.push(status);
  }
  return steps;
}

function isLater(status: ReportedStatus, now: ReportedStatus | undefined): boolean {
  if (now === 'failed') return status !== 'sent';
  return chain.indexOf(status) > (now === undefined ? -1 : chain.indexOf(now));
}
