import { buildOpenApi } from '@majlis/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../process/config.ts';

/** Serves the contract as a document, `/openapi.json`, and as a reference page, `/docs`. */
export async function documentationRoutes(app: FastifyInstance, { publicUrl }: Config): Promise<void> {
  let document: string | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(buildOpenApi(publicUrl));
    return reply.type('application/json; charset=utf-8').send(document);
  });

  let page: Promise<FastifyInstance> | undefined;
  const readPage = async (): Promise<FastifyInstance> => {
    page ??= loadPage();
    return page;
  };
  for (const url of ['/docs', '/docs/*']) {
    app.get(url, async (request, reply) => {
      const { routing } = await readPage();
      reply.hijack();
      routing(request.raw, reply.raw);
    });
  }
}

/** The page's code takes 30 MB and 0.3 s, so the first request loads it and the start does not. */
async function loadPage(): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const page = Fastify();
  await page.register(reference, { routePrefix: '/docs', configuration });
  await page.ready();
  return page;
}

/** The page sends requests to this service alone: no remote fonts, registry, assistant or developer tools. */
const configuration = {
  url: '/openapi.json',
  pageTitle: 'Majlis API',
  favicon: 'data:,',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
} as const;
