import { readdir, readFile } from 'node:fs/promises';
import { BlockList, isIPv6 } from 'node:net';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Only this origin, without inline scripts. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const tokenPlace = '<meta name="control-token" content="" />';

/** Serves the phone page that plays the customer: static files, read once. */
export async function servePage(app: FastifyInstance, { control_token }: { control_token: string }): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => {
    reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-cache')
      .header('cross-origin-resource-policy', 'same-origin')
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff');
  });
  const folder = new URL('./page/', import.meta.url);
  for (const name of await readdir(folder)) {
    const bytes = await readFile(new URL(name, folder));
    const type = types[extname(name)] ?? 'application/octet-stream';
    if (name !== 'index.html') app.get(`/${name}`, async (_request, reply) => reply.type(type).send(bytes));
    else servePageWithToken(app, type, bytes.toString(), control_token);
  }
}

/** A browser of this machine gets the control token with the page; any other asks its user for it. */
function servePageWithToken(app: FastifyInstance, type: string, html: string, control_token: string): void {
  const carrying = html.replace(tokenPlace, () => tokenPlace.replace('""', `"${escapeHtml(control_token)}"`));
  app.get('/', async (request, reply) =>
    reply
      .type(type)
      .header('cache-control', 'no-store')
      .send(isFromHere(request) ? carrying : html),
  );
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** A proxy on this machine speaks for others. */
function isFromHere({ socket, headers }: FastifyRequest): boolean {
  const address = socket.remoteAddress ?? '';
  const isProxied = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !isProxied && loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
