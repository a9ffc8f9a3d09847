import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { parseId, publicId } from '../database/ids.ts';
import { transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Resources } from '../process/resources.ts';
import { findEndpointOfAny } from '../webhook-endpoints/manage/read-endpoints.ts';
import { rotateSecret } from '../webhook-endpoints/manage/rotate-secret.ts';
import { readDeliveries } from './read-deliveries.ts';

const daySeconds = 86_400;

const Rotation = Type.Object(
  { overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 30 * daySeconds })) },
  { additionalProperties: false },
);
type Rotation = Static<typeof Rotation>;

/** Deliveries of webhook endpoints with the reasons of failures, and new secrets. */
export function endpointRoutes(app: FastifyInstance, resources: Resources): void {
  async function findEndpoint(endpoint_id: string) {
    const id = parseId('webhook_endpoint', endpoint_id);
    const endpoint = id && (await findEndpointOfAny(resources.pool, id));
    if (!endpoint) throw new Refusal('not_found', { detail: 'There is no such webhook endpoint.' });
    return endpoint;
  }

  app.get<{ Params: { id: string }; Querystring: { after?: string } }>(
    '/webhook-endpoints/:id/deliveries',
    async ({ params, query }) => readDeliveries(resources, await findEndpoint(params.id), query.after),
  );

  app.post<{ Params: { id: string }; Body: Rotation }>(
    '/webhook-endpoints/:id/rotate-secret',
    { schema: { body: Rotation } },
    async ({ params, body: { overlap_seconds = daySeconds } }) => {
      const { workspace_id, id } = await findEndpoint(params.id);
      const { secret, old_secret_until } = await transaction(resources.pool, (tx) =>
        rotateSecret(tx, resources, { workspace_id, id, overlap_seconds }),
      );
      return {
        id: publicId('webhook_endpoint', id),
        secret,
        ...(old_secret_until && { old_secret_until: old_secret_until.toISOString() }),
      };
    },
  );
}
