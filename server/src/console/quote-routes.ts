import { consoleOperations, mayAct } from '@majlis/console-api';
import { previewBroadcast } from '../broadcasts/preview-broadcast.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { quoteMessage } from '../messages/accept/quote-message.ts';
import type { Resources } from '../process/resources.ts';
import { refuseBeyondLimit } from './refuse-beyond-limit.ts';
import type { ServeConsole } from './serve-console.ts';

export function quoteRoutes(serve: ServeConsole, resources: Resources): void {
  serve(consoleOperations.quotePrice, async ({ caller, params, body: { audience, template, ...one } }) => {
    if (!audience) return { status: 200, body: await quoteMessage(resources, caller, { ...one, template }) };
    if (!mayAct(caller.role, 'supervisor')) throw new Refusal('role_insufficient');
    await refuseBeyondLimit(resources.pool, caller, { params, whole_workspace: true });
    const named = (['conversation_id', 'contact_id', 'to'] as const).find((member) => one[member] !== undefined);
    if (named) throw invalid({ detail: 'names one recipient, and audience names many', pointer: `/${named}` });
    if (!template) throw invalid({ detail: 'is required for an audience', pointer: '/template' });
    const { channel_id } = one;
    const request = { ...(channel_id !== undefined && { channel_id }), template, audience };
    const preview = await previewBroadcast(resources, caller, request);
    return { status: 200, body: preview.cost.quote };
  });
}
