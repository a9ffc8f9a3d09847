import type { FastifyInstance } from 'fastify';
import { editTemplate } from '../templates/edit-template.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { Dict } from '../world/message.ts';
import type { World } from '../world/world.ts';
import { accountDefaults, presentAccount } from './account-routes.ts';
import { accountFor, authenticate, numberFor } from './authenticate.ts';
import { unknownObject } from './graph-error.ts';
import { findMedia, presentGraphMedia } from './media-routes.ts';
import { updateNumber } from './number-routes.ts';
import { pickFields } from './page-list.ts';
import { numberDefaults, presentNumber } from './present-number.ts';
import { readJson } from './read-body.ts';
import { presentGraphTemplate, templateDefaults, templateFor } from './template-routes.ts';
import { continueUpload, isUploadId, readUpload } from './upload-routes.ts';

type ObjectRoute = { Params: { id: string }; Querystring: { fields?: string; phone_number_id?: string } };

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
    return pickFields(presentNumber(world, numberFor(world, token, id, 'GET')), fields, numberDefaults);
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
