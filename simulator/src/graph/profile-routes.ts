import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Dict } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';
import { authenticate, numberFor } from './authenticate.ts';
import { GraphError, invalidParameter, missingParameter, tooLong } from './graph-error.ts';
import { isRecord } from './is-record.ts';
import { pickFields } from './page-list.ts';
import { readJson } from './read-body.ts';

type IdRoute = { Params: { id: string }; Querystring: { fields?: string } };

/** The most characters of each text. */
const texts: Record<string, number> = { about: 139, address: 256, description: 512, email: 128, vertical: 64 };
const profileFields = [...Object.keys(texts), 'websites', 'profile_picture_url'];
const settingFields = ['calling', 'payload_encryption', 'storage_configuration', 'user_identity_change'];

/** The profile that customers see of a number, and the settings of the number. */
export function profileRoutes(app: FastifyInstance, world: World): void {
  const numberOf = (request: FastifyRequest<IdRoute>) =>
    numberFor(world, authenticate(world, request.headers.authorization), request.params.id, request.method);

  app.get<IdRoute>('/:id/whatsapp_business_profile', async (request) => {
    const { id: _, ...shown } = pickFields({ ...numberOf(request).profile }, request.query.fields, profileFields);
    return { data: [{ ...shown, messaging_product: 'whatsapp' }] };
  });
  app.post<IdRoute>('/:id/whatsapp_business_profile', async (request) => {
    const number = numberOf(request);
    number.profile = { ...number.profile, ...checkProfile(readJson(request.body)) };
    world.changes.emit('other', 'numbers');
    return { success: true };
  });

  app.get<IdRoute>('/:id/settings', async (request) => numberOf(request).settings);
  app.post<IdRoute>('/:id/settings', async (request) => {
    const number = numberOf(request);
    number.settings = changeSettings(number, readJson(request.body));
    world.changes.emit('other', 'numbers');
    return { success: true };
  });
}

function checkProfile({ messaging_product, ...given }: Dict): Dict {
  if (messaging_product !== 'whatsapp') {
    throw new GraphError(100, { message: '(#100) The parameter messaging_product is required.' });
  }
  const { profile_picture_handle, ...profile } = given;
  for (const [name, value] of Object.entries(profile)) {
    if (name === 'websites') checkWebsites(value);
    else checkText(name, value);
  }
  return profile;
}

function checkText(name: string, value: unknown): void {
  const limit = Object.hasOwn(texts, name) ? texts[name] : undefined;
  if (limit === undefined) throw new GraphError(100, { message: `(#100) Unexpected key "${name}" on param.` });
  if (typeof value !== 'string') throw invalidParameter(name, 'must be a string');
  if (value.length > limit) throw tooLong(name, limit);
}

function checkWebsites(value: unknown): void {
  if (!Array.isArray(value) || value.length > 2) throw invalidParameter('websites', 'must hold at most 2 addresses');
  for (const one of value) {
    if (typeof one !== 'string' || !URL.canParse(one)) throw invalidParameter('websites');
    if (one.length > 256) throw tooLong('websites', 256);
  }
}

function changeSettings({ settings }: BusinessNumber, body: Dict): Dict {
  const changed = Object.entries(body);
  if (changed.length === 0) throw missingParameter('settings');
  const next = { ...settings };
  for (const [name, value] of changed) {
    if (!settingFields.includes(name)) throw invalidParameter(name, 'is no setting');
    if (!isRecord(value)) throw invalidParameter(name);
    next[name] = { ...(next[name] as Dict), ...value };
  }
  return next;
}
