import type { Refusal } from '../../http/reply/refusal.ts';

/** What the operator reads of it: the code, and what it is about where that says more. */
export function describeRefusal({ code, extra }: Refusal): string {
  const details = [extra.detail, ...(extra.errors ?? []).map(({ detail, pointer }) => `${pointer} ${detail}`)];
  return [code, ...details.filter(Boolean)].join(': ');
}
