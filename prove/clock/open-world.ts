import { fileURLToPath } from 'node:url';
import { askOperator, buildStage, type Stage } from '../../server/test/faults/build-stage.ts';
import { type Api, createApi } from '../../server/test/support/api.ts';
import { eventually } from '../../server/test/support/eventually.ts';
import { newDigits } from '../../server/test/support/messages.ts';
import { hearFrom, type Service } from '../../server/test/support/notices.ts';
import { type Receiver, startReceiver } from '../../server/test/support/receiver.ts';
import { type ScriptedPlatform, startScriptedPlatform } from '../../server/test/support/scripted-platform.ts';

/** A service whose time stands still until it is moved. */
export interface World {
  stage: Stage;
  api: Api;
  platform: ScriptedPlatform;
  receiver: Receiver;
  nowMs(): number;
  /** Moves the clock to a moment; never back. */
  moveTo(ms: number): Promise<void>;
  /** Lets a customer write now; answers the conversation. */
  hear(digits?: string): Promise<string>;
  /** What is due has begun once what was asked for after it is done. */
  passed(): Promise<void>;
  operator(method: string, place: string, body?: unknown): ReturnType<typeof askOperator>;
}

const start = '2026-11-20T10:00:00Z';
export const template = { name: 'order_ready', language: 'en' };
const origin = { phone_number_id: '4400014', waba_id: '3300014', app_secret: 'app-secret' };

export async function openWorld(seed: number): Promise<World> {
  const platform = await startScriptedPlatform();
  const receiver = await startReceiver();
  const stage = await buildStage({ seed, platform: async () => platform.api_url });
  const { database } = (await stage.sql<{ database: string }>('select current_database() as database'))[0]!;
  await stage.sql('create schema still');
  await stage.sql(`create function still.clock_timestamp() returns timestamptz language sql
    as $$ select '${start}'::timestamptz $$`);
  await stage.sql(`alter database ${database} set search_path = still, pg_catalog, public`);
  const majlis = await stage.majlis({
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('./stand-still.ts', import.meta.url))}`,
    WEBHOOK_ALLOW_PRIVATE: '1',
  });
  await majlis.start();
  const operator = (method: string, place: string, body?: unknown) => askOperator(majlis.url, method, place, body);
  const applied = await operator('PUT', '/workspaces', file);
  const api = createApi(majlis.url, applied.api_keys[0].key);
  const service: Service = {
    url: majlis.url,
    sql: stage.sql,
    operator: async (method, place, body) => ({ status: 200, body: await operator(method, place, body) }),
  };
  let now = Date.parse(start);
  const sentinel = newDigits();
  const world: World = {
    ...{ stage, api, platform, receiver, operator },
    nowMs: () => now,
    async moveTo(ms) {
      const moved = await operator('POST', '/clock', { advance_seconds: (ms - now) / 1000 });
      now = ms;
      if (Date.parse(moved.now) !== now) throw new Error(`the clock shows ${moved.now}, not ${new Date(now).toJSON()}`);
    },
    hear: (digits = newDigits()) => hearFrom(service, origin, digits),
    async passed() {
      const { body } = await api.post('/messages', { to: `+${sentinel}`, kind: 'template', template });
      await eventually(
        () => platform.calls.some((call) => call.callback_data === body.id),
        (isSent) => isSent,
      );
    },
  };
  return world;
}

const file = {
  workspace: { name: 'Acme', country: 'OM', timezone: 'Asia/Muscat' },
  channels: [{ type: 'chatapp', name: 'Support', access_token: 'token', verify_token: 'verify', ...origin }],
  templates: [{ ...template, category: 'utility', components: [{ type: 'body', text: 'Your order is ready.' }] }],
  users: [{ name: 'Aisha', email: 'aisha@acme.example', role: 'admin' }],
  workflows: [
    {
      name: 'Later',
      status: 'published',
      trigger: 'api_call',
      steps: [
        { do: 'wait', for: '2h' },
        { do: 'add_note', text: 'Two hours have passed.' },
      ],
    },
  ],
  api_keys: [{ name: 'backend', environment: 'test', scopes: ['messages:write', 'contacts:read', 'contacts:write'] }],
};
