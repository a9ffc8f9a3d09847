import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { editTemplate } from '../templates/edit-template.ts';
import { webhookOf } from '../webhooks/callbacks.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { Dict } from '../world/message.ts';
import type { World } from '../world/world.ts';
import { accountDefaults, presentAccount } from './account-routes.ts';
import { accountFor, authenticate, numberFor } from './authenticate.ts';
import { GraphError, unknownObject } from './graph-error.ts';
import { findMedia, presentGraphMedia } from './media-routes.ts';
import { updateNumber } from './number-routes.ts';
import { pickFields } from './page-list.ts';
import { numberDefaults, presentNumber } from './present-number.ts';
import { readJson } from './read-body.ts';
import { presentGraphTemplate, templateDefaults, templateFor } from './template-routes.ts';
import { continueUpload, isUploadId, readUpload } from './upload-routes.ts';

type ObjectRoute = {
  Params: { id: string };
  Querystring: { fields?: string; phone_number_id?: string; appsecret_proof?: string };
};

/** `/{id}`: the id of a number, account, template, medium or upload. */
export function objectRoutes(app: FastifyInstance, world: World, sender: Sender): void {
  app.get<ObjectRoute>('/:id', async (request): Promise<Dict> => {
    const { id } = request.params;
    const { fields } = request.query;
    const token = authenticate(world, request.headers.authorization);
    if (isUploadId(id)) return readUpload(world, id);
    if (world.accounts.has(id)) {
      return pickFields(presentAccount(world, accountFor(world, token, id, 'GET')), fields, accountDefaults);
    }
    if (world.templates.has(id)) {
      return pickFields(presentGraphTemplate(world, templateFor(world, token, id, 'GET')), fields, templateDefaults);
    }
    const media = findMedia(world, token, id, request);
    if (media !== undefined) return presentGraphMedia(world, media);
    const number = numberFor(world, token, id, 'GET');
    checkProof(token, request.query.appsecret_proof, webhookOf(world, number)?.app_secret);
    return pickFields(presentNumber(world, number), fields, numberDefaults);
  });

  app.post<ObjectRoute>('/:id', async (request): Promise<Dict> => {
    const { id } = request.params;
    const token = authenticate(world, request.headers.authorization);
    if (isUploadId(id)) return continueUpload(world, id, request);
    if (world.templates.has(id)) {
      return editTemplate(world, sender, templateFor(world, token, id, 'POST'), readJson(request.body));
    }
    return updateNumber(world, numberFor(world, token, id, 'POST'), readJson(request.body));
  });

  app.delete<ObjectRoute>('/:id', async (request): Promise<Dict> => {
    const { id } = request.params;
    const token = authenticate(world, request.headers.authorization);
    if (findMedia(world, token, id, request) === undefined) throw unknownObject('DELETE', id);
    world.media.remove(id);
    return { success: true };
  });
}

/** The platform refuses a proof that another app secret made. The simulator knows the secret that signs the webhooks. */
function checkProof(token: string, proof: string | undefined, app_secret: string | undefined): void {
  if (proof === undefined || app_secret === undefined) return;
  if (proof === createHmac('sha256', app_secret).update(token).digest('hex')) return;
  throw new GraphError(100, {
    message: 'Invalid appsecret_proof provided in the API argument',
    type: 'GraphMethodException',
  });
}
