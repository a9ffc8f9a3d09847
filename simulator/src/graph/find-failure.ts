import { hasOpenWindow } from '../world/chats.ts';
import type { Chat, ChatMessage, Dict } from '../world/message.ts';
import type { World } from '../world/world.ts';
import { isMediaType } from './check-send.ts';

export type Failure = { code: number; details?: string };

/** The asynchronous failure of an accepted message; failures of the recipient are all asynchronous (section 14.3). */
export function findFailure(world: World, message: ChatMessage, conversation: Chat): Failure | undefined {
  if (message.type === 'reaction') return failureOfReaction(world, message);
  if (message.template === undefined) {
    if (world.switches.window && !hasOpenWindow(conversation, message.at)) return { code: 131047 };
  } else if (message.template.category === 'MARKETING' && conversation.marketing === 'stop') {
    return { code: 131050 };
  }
  return isMediaType(message.type) ? failureOfMedia(world, message.type, message.content as Dict) : undefined;
}

function failureOfReaction(world: World, message: ChatMessage): Failure | undefined {
  const target = world.messages.get(String((message.content as Dict).message_id));
  const monthAgo = message.at - 30 * 24 * 3_600_000;
  const valid =
    target !== undefined &&
    target.type !== 'reaction' &&
    !target.revoked &&
    target.at > monthAgo &&
    target.wa_id === message.wa_id;
  return valid ? undefined : { code: 131009, details: 'Reaction target message is not valid.' };
}

const allowed: Record<string, RegExp> = {
  image: /^image\/(jpeg|png)$/,
  video: /^video\/(mp4|3gpp)$/,
  audio: /^audio\/(aac|amr|mpeg|mp4|ogg)/,
  sticker: /^image\/webp$/,
  document: /./,
};

function failureOfMedia(world: World, type: string, content: Dict): Failure | undefined {
  if (typeof content.link === 'string') {
    // Nothing is fetched: names under .invalid fail (RFC 2606), other links work.
    if (!new URL(content.link).hostname.endsWith('.invalid')) return undefined;
    return {
      code: 131053,
      details: 'Downloading media from weblink failed with http code 404, status message Not Found',
    };
  }
  const media = world.media.get(String(content.id), world.now());
  if (media === undefined || allowed[type]!.test(media.mime_type)) return undefined;
  const kind = type === 'audio' ? (content.voice === true ? 'Voice' : 'Audio') : type[0]!.toUpperCase() + type.slice(1);
  const instead =
    type === 'audio' ? ' Please use one of audio/ogg; codecs=opus, audio/mpeg, audio/amr, audio/mp4, audio/aac.' : '';
  return { code: 131053, details: `Unsupported ${kind} mime type ${media.mime_type}.${instead}` };
}
