import type { ChannelFault, PlatformError, RetryClass } from '../send-outcome.ts';

export interface ErrorClass {
  retry: RetryClass;
  channel_fault?: ChannelFault;
}

/** Classifies an error in the answer to a send; `undefined` for an unknown code. */
export function classifyError(error: PlatformError): ErrorClass | undefined {
  if (error.code >= 200 && error.code <= 299) return permissionMissing;
  return table.get(error.code);
}

const permissionMissing: ErrorClass = { retry: 'never', channel_fault: 'credentials' };

/**
 * The codes of section 2.3 that sends and template calls can meet; each is answered before acceptance. Code 1 ("unknown API
 * error") is absent: with a 4xx a retry may succeed, with a 5xx the outcome is unknown.
 */
const table = new Map<number, ErrorClass>([
  ...codes([0, 10, 104, 190, 131005], permissionMissing),
  ...codes([368, 131031], { retry: 'never', channel_fault: 'restricted' }),
  ...codes([131045, 133010], { retry: 'never', channel_fault: 'unregistered' }),
  ...codes([2, 131000, 131016, 131057, 133000, 133004, 134101], { retry: 'transient' }),
  // Limits by the hour: the growing pause of a channel in trouble suits them.
  ...codes([4, 80007, 80008], { retry: 'transient' }),
  ...codes([130429], { retry: 'throughput' }),
  ...codes([131056], { retry: 'pair' }),
  // The form of this message is throttled: other messages of the number go on.
  ...codes([132069], { retry: 'pair' }),
  ...codes([3, 33, 100, 130472, 130497, 131008, 131009, 131021, 131026, 131030, 131037, 131042], { retry: 'never' }),
  ...codes([131047, 131048, 131049, 131050, 131051, 131053, 131055, 131062, 131063, 131064], { retry: 'never' }),
  ...codes([132000, 132001, 132005, 132007, 132008, 132012, 132015, 132016, 132018, 132068], { retry: 'never' }),
  ...codes([133005, 133006, 133008, 133009, 133015, 133016, 134011, 134100, 134102], { retry: 'never' }),
  ...codes([135000, 137000], { retry: 'never' }),
]);

function codes(list: number[], entry: ErrorClass): [number, ErrorClass][] {
  return list.map((code) => [code, entry]);
}
