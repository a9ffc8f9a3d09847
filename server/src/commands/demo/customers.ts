import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { demoPhoneNumberId } from '../demo-workspace.ts';
import type { CustomerAct, DemoConversation } from './day.ts';
import type { DemoDay } from './demo-day.ts';
import { waitUntil } from './wait-until.ts';

export interface Customers {
  act(conversation: DemoConversation, acts: readonly CustomerAct[]): Promise<void>;
}

/** The customers' phones of the simulator, over its control API. */
export async function createCustomers({ simulator }: DemoDay): Promise<Customers> {
  async function control(method: string, route: string, body?: object | Buffer): Promise<Answer> {
    const isFile = Buffer.isBuffer(body);
    const response = await fetch(`${simulator.url}/control/${route}`, {
      method,
      headers: {
        authorization: `Bearer ${simulator.control_token}`,
        ...(body && { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`the demo cannot be filled: the simulator answers ${response.status} on ${route}`);
    return response.json();
  }

  async function store(name: string): Promise<string> {
    const bytes = await readFile(path.join(import.meta.dirname, 'files', name));
    const isVoice = name.endsWith('.ogg');
    const about = new URLSearchParams({
      phone_number_id: demoPhoneNumberId,
      mime_type: isVoice ? 'audio/ogg; codecs=opus' : 'image/jpeg',
      filename: name,
      ...(isVoice && { voice: 'true' }),
    });
    return (await control('POST', `media?${about}`, bytes)).id;
  }

  async function compose({ phone }: DemoConversation, act: CustomerAct): Promise<{ type: string; content: unknown }> {
    if (typeof act === 'string') return { type: 'text', content: act };
    if ('photo' in act) {
      return { type: 'image', content: { id: await store(act.photo), ...(act.caption && { caption: act.caption }) } };
    }
    if ('voice' in act) return { type: 'audio', content: { id: await store(act.voice) } };
    if ('place' in act) return { type: 'location', content: act.place };
    const sent = await waitUntil('a message to react to', async () => {
      const { messages } = await control('GET', `conversations/${demoPhoneNumberId}/${phone.slice(1)}`);
      return messages.findLast(({ direction, type }: Answer) => direction === 'outbound' && type !== 'reaction');
    });
    return { type: 'reaction', content: { message_id: sent.id, emoji: act.react } };
  }

  return {
    async act(conversation, acts) {
      const { phone: from, name } = conversation;
      for (const act of acts) {
        const message = await compose(conversation, act);
        await control('POST', 'inbound', { phone_number_id: demoPhoneNumberId, from, name, ...message });
      }
    },
  };
}

// The control API answers with different members by the call.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Answer = any;
