import { text as readText } from 'node:stream/consumers';
import type { Message } from '@majlis/sdk';
import type { Call, CommonOptions } from './act.ts';
import { Failure } from './failure.ts';
import { openClient } from './open-client.ts';
import { printResult } from './print-result.ts';
import { keyed, readUpload } from './run-operation.ts';

interface SendOptions extends CommonOptions {
  template?: string;
  language?: string;
  param?: string[];
  file?: string;
  media?: string;
  kind?: string;
  replyTo?: string;
  channel?: string;
  idempotencyKey?: string;
}

const fileKinds = ['image', 'video', 'voice', 'file'] as const;
type FileKind = (typeof fileKinds)[number];

/** `majlis send +96891234567 'Your order is on its way.'` */
export async function send({ args: [to, text], options }: Call<SendOptions>): Promise<void> {
  const { template, language, param, file, media, kind } = options;
  const ways = [template, file, media].filter((way) => way !== undefined);
  if (ways.length > 1) throw new Failure('usage', 'Give one of --template, --file and --media.');
  if (ways.length === 0 && !text) throw new Failure('usage', 'Give a text, --template, --file or --media.');
  if (template !== undefined && text) {
    throw new Failure('usage', 'A template has its own text: give its values with --param.');
  }
  if (template !== undefined && !language) throw new Failure('usage', 'A template needs --language, such as en or ar.');
  if (template === undefined && (language || param))
    throw new Failure('usage', '--language and --param need --template.');
  if (kind !== undefined && !isFileKind(kind)) {
    throw new Failure('usage', `--kind must be one of ${fileKinds.join(', ')}.`);
  }
  if (media !== undefined && !kind) throw new Failure('usage', `--media needs --kind: ${fileKinds.join(', ')}.`);
  const body = text === '-' ? (await readText(process.stdin)).replace(/\n$/, '') : text;
  const upload = file === undefined ? undefined : await readUpload(file, {});
  const { client } = await openClient(options);
  const uploaded = upload && (await client.media.upload(upload));
  const media_id = uploaded?.id ?? media;
  const content = {
    ...(options.replyTo !== undefined && { reply_to_id: options.replyTo }),
    ...(template !== undefined
      ? {
          kind: 'template' as const,
          template: { name: template, language: language!, ...(param && { params: param }) },
        }
      : media_id !== undefined
        ? { kind: (kind as FileKind | undefined) ?? kindOfFile(uploaded?.mime), media_id, ...(body && { body }) }
        : { kind: 'text' as const, body: body! }),
  };
  const sent = await keyed(true, options.idempotencyKey, (more): Promise<Message> => {
    if (to!.startsWith('cv_')) return client.conversations.sendMessage(to!, content, more);
    const recipient = to!.startsWith('ct_') ? { contact_id: to! } : { to: to! };
    const channel = options.channel === undefined ? {} : { channel_id: options.channel };
    return client.messages.send({ ...recipient, ...channel, ...content }, more);
  });
  printResult(sent, options);
}

function isFileKind(kind: string): kind is FileKind {
  return fileKinds.some((one) => one === kind);
}

/** Only the types that the kind takes: all others are sent as documents. */
function kindOfFile(mime = ''): FileKind {
  const type = mime.split(';')[0]!.trim();
  if (type === 'image/jpeg' || type === 'image/png') return 'image';
  if (type === 'video/mp4' || type === 'video/3gpp') return 'video';
  if (['audio/ogg', 'audio/aac', 'audio/mpeg', 'audio/mp3', 'audio/amr'].includes(type)) return 'voice';
  return 'file';
}
