import helmet from '@fastify/helmet';
import { buildOpenApi } from '@majlis/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../process/config.ts';
import { type CompressedAsset, compressAsset, sendAsset } from './compressed-asset.ts';
import { describeReference } from './describe-reference.ts';
import { nameButtons, referenceIcon, referenceStyle } from './reference-style.ts';

const html = 'text/html; charset=utf-8';
const script = 'application/javascript; charset=utf-8';
const json = 'application/json; charset=utf-8';
const scriptPath = 'js/scalar.js';
const referencePath = '/docs/openapi.json';

/** Serves the contract as a document, `/openapi.json`, and as a reference page, `/docs`. `exampleIds` replace the examples' ids. */
export async function documentationRoutes(
  app: FastifyInstance,
  { publicUrl }: Config,
  exampleIds: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  // People type keys into the page, which no other site may show in a frame. Its code adds inline scripts and styles.
  await app.register(helmet, { contentSecurityPolicy: false, hsts: false, frameguard: { action: 'deny' } });
  const serveDocument = (path: string, build: () => object) => {
    let document: Promise<CompressedAsset> | undefined;
    let replaced = 0;
    app.get(path, async (request, reply) => {
      // A demo learns its ids after the start.
      if (replaced !== exampleIds.size) document = undefined;
      replaced = exampleIds.size;
      document ??= compressAsset(json, replaceIds(JSON.stringify(build()), exampleIds));
      return sendAsset(await document, request, reply);
    });
  };
  serveDocument('/openapi.json', () => buildOpenApi(publicUrl));
  serveDocument(referencePath, () => describeReference(buildOpenApi(publicUrl)));

  let assets: Promise<ReferencePage> | undefined;
  const getPage = async () => {
    assets ??= loadPage();
    return assets;
  };
  app.get('/docs', (_request, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/', async (request, reply) => sendAsset((await getPage()).page, request, reply));
  app.get(`/docs/${scriptPath}`, async (request, reply) => sendAsset((await getPage()).script, request, reply));
}

function replaceIds(document: string, ids: ReadonlyMap<string, string>): string {
  return [...ids].reduce((text, [example, id]) => text.replaceAll(example, id), document);
}

interface ReferencePage {
  page: CompressedAsset;
  script: CompressedAsset;
}

/** The page's code takes 30 MB and 0.3 s, so the first request loads it and the start does not. */
async function loadPage(): Promise<ReferencePage> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const source = Fastify({ pluginTimeout: 0 });
  await source.register(reference, { routePrefix: '/docs', configuration });
  const [page, code] = await Promise.all([source.inject('/docs/'), source.inject(`/docs/${scriptPath}`)]);
  await source.close();
  const compressed = await compressAsset(script, code.payload);
  const versioned = page.payload
    .replaceAll(scriptPath, `${scriptPath}?v=${compressed.etag}`)
    .replace('<html>', '<html lang="en">')
    .replace('<div id="app"></div>', `<div id="app"></div><script>${nameButtons}</script>`);
  return { page: await compressAsset(html, versioned), script: compressed };
}

/** The page sends requests to this service alone: no remote fonts, registry, assistant or developer tools. */
const configuration = {
  url: referencePath,
  pageTitle: 'Majlis API',
  favicon: referenceIcon,
  theme: 'none',
  customCss: referenceStyle,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
} as const;
