import type { KeyScope } from '@majlis/contract';
import { Refusal } from './reply/refusal.ts';

/** The scope of whatever makes a message leave. */
export const sendingScope: KeyScope = 'messages:write';

/** 403 for a key that lacks the scope. `because`: what needs it, where the operation alone does not tell. */
export function refuseWithoutScope(scope: KeyScope, because?: string): Refusal {
  return new Refusal('insufficient_scope', {
    detail: `The key needs the scope ${scope}${because ? `: ${because}` : ''}.`,
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}
