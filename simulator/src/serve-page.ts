import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Only this origin, without inline scripts. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the phone page that plays the customer: static files, read once. */
export async function servePage(app: FastifyInstance): Promise<void> {
  const folder = new URL('./page/', import.meta.url);
  for (const name of await readdir(folder)) {
    const bytes = await readFile(new URL(name, folder));
    const path = name === 'index.html' ? '/' : `/${name}`;
    app.get(path, async (_request, reply) =>
      reply
        .type(types[extname(name)] ?? 'application/octet-stream')
        .header('content-security-policy', policy)
        .header('cache-control', 'no-cache')
        .header('x-content-type-options', 'nosniff')
        .send(bytes),
    );
  }
}
