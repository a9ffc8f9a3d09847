import type { AnyJson } from '@majlis/testing/json';
import { startWebhookReceiver, type WebhookReceiver } from '@majlis/testing/webhook-receiver';
import { hour, type RuleContext } from './rule.ts';

export interface EndpointWithReceiver {
  id: string;
  receiver: WebhookReceiver;
}

/** An endpoint that gets every message of a customer. */
export async function createEndpoint({ api }: RuleContext): Promise<EndpointWithReceiver> {
  const receiver = await startWebhookReceiver();
  const endpoint = { url: receiver.url, events: ['message.received'] };
  return { id: (await api.post('/webhook-endpoints', endpoint)).body.id, receiver };
}

/** An endpoint whose first attempt fails now. It gets no other event, so later attempts are retries of this one. */
export async function createFailedEndpoint(context: RuleContext): Promise<EndpointWithReceiver> {
  const endpoint = await createEndpoint(context);
  endpoint.receiver.answer(500);
  await failNow(context, endpoint.id);
  return endpoint;
}

/** Lets an event of this moment fail; answers whether the endpoint is still enabled. */
export async function failNow(context: RuleContext, id: string): Promise<boolean> {
  const subscribe = (event: string) => context.api.request('PATCH', `/webhook-endpoints/${id}`, { events: [event] });
  await subscribe('message.received');
  await context.receive();
  await subscribe('template.status_updated');
  return isEnabled(context, id);
}

/** Moves 36 hours on and makes a retry. Without a retry the gap would restart the three days. */
export async function retryLater({ moveTo, nowMs, settled }: RuleContext): Promise<void> {
  await moveTo(nowMs() + 36 * hour);
  await settled();
}

export async function isEnabled({ api }: RuleContext, id: string): Promise<boolean> {
  const { data } = (await api.get('/webhook-endpoints')).body as AnyJson;
  return data.find((one: AnyJson) => one.id === id).enabled;
}
