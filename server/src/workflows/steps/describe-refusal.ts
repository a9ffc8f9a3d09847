import type { Refusal } from '../../http/reply/refusal.ts';

/** The refusal for the operator: its code and details. */
export function describeRefusal({ code, extra }: Refusal): string {
  const details = [extra.detail, ...(extra.errors ?? []).map(({ detail, pointer }) => `${pointer} ${detail}`)];
  return [code, ...details.filter(Boolean)].join(': ');
}
