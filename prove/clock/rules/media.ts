import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { samples, uploadFile } from '@majlis/testing/media';
import { acceptSend } from '@majlis/testing/scripted-platform';
import { parseId } from '../../../server/src/database/ids.ts';
import { publicOrigin } from '../clock-environment.ts';
import { day, minute, type RuleContext, type RuleGroup, second } from '../rule.ts';

export const mediaRules: RuleGroup = {
  rules: [
    {
      name: 'an address at which the platform fetches a file is good for a day',
      async open(context) {
        const file = await uploaded(context, samples.zip);
        const { document } = await sendFile(context, 'file', file);
        const link = document.link.replace(publicOrigin, context.url);
        return {
          edge_ms: context.nowMs() + day,
          observe: async () => (await fetch(link, { signal: AbortSignal.timeout(30_000) })).status,
        };
      },
      before: 200,
      after: 404,
    },
    {
      name: 'the platform’s copy of a file is used for 29 days',
      async open(context) {
        const file = await uploaded(context, samples.png);
        const first = await sendFile(context, 'image', file);
        const observe = async () => (await sendFile(context, 'image', file)).image.id === first.image.id;
        return { edge_ms: context.nowMs() + 29 * day, observe };
      },
      before: true,
      after: false,
    },
  ],
  schedules: [
    {
      name: 'the file of a customer is asked for again after 1, 2, 4 … 300 s',
      delays_ms: [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * second),
      // Up to a fifth more, as wherever work is tried again.
      spread_ms: (delay_ms) => delay_ms / 5,
      async open({ platform, receive }) {
        platform.refuses.files = true;
        const image = newImage();
        await receive({ content: { type: 'image', image } });
        return { made: () => platform.requests.filter((request) => request.startsWith(`GET /${image.id}?`)).length };
      },
    },
  ],
  age_rules: [
    {
      name: 'the file of a customer is asked for until its message is more than 7 days old',
      age_ms: 7 * day,
      async open({ api, platform, receive, moveTo, settled }) {
        platform.refuses.files = true;
        return {
          async make() {
            return (await receive({ content: { type: 'image', image: newImage() } })).message;
          },
          async meet(edge_ms) {
            await moveTo(edge_ms);
            await settled();
            platform.refuses.files = false;
            await moveTo(edge_ms + 10 * minute);
            await settled();
          },
          async observe(id) {
            const { media_id, error } = (await api.get(`/messages/${id}`)).body;
            return [media_id !== undefined, error !== undefined];
          },
        };
      },
      expected: [
        [true, false],
        [true, false],
        [false, true],
      ],
    },
  ],
  sweeps: [
    {
      name: 'an upload that nothing names goes after 30 days, with the sweep of that day',
      kind: 'media.sweep_media',
      every_ms: day,
      keeps_ms: 30 * day,
      open: async (context) => ({
        make: () => uploaded(context, samples.png),
        isThere: async (id) => [(await context.api.get(`/media/${id}`)).status === 200],
      }),
    },
    {
      name: 'bytes that no row knows go after a day, with the sweep of that day',
      kind: 'media.sweep_media',
      every_ms: day,
      keeps_ms: day,
      async open({ id, data_dir, nowMs }) {
        const folder = path.join(data_dir, 'media', parseId('workspace', id)!);
        await mkdir(folder, { recursive: true });
        return {
          async make() {
            const time = nowMs().toString(16).padStart(12, '0');
            const file = path.join(folder, `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`);
            await writeFile(file, 'nobody');
            return file;
          },
          isThere: async (file) => [existsSync(file)],
        };
      },
    },
  ],
};

function newImage() {
  return { id: `file-${randomUUID()}`, mime_type: 'image/png' };
}

async function uploaded({ url, key }: RuleContext, bytes: Buffer): Promise<string> {
  return (await uploadFile({ url }, { key }, bytes)).body.id;
}

/** Sends a file to a customer who has just written; answers what the platform was asked to show. */
async function sendFile({ api, platform, receive, settled }: RuleContext, kind: string, media_id: string) {
  platform.script(acceptSend);
  const { conversation } = await receive();
  const { body } = await api.post(`/conversations/${conversation}/messages`, { kind, media_id });
  await settled();
  const call = platform.calls.find(({ callback_data }) => callback_data === body.id)!;
  return call.body as unknown as { document: { link: string }; image: { id: string } };
}
