import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import fixedFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../http/reply/refusal.ts';
import { replyError } from '../http/reply/reply-error.ts';

const folder = fileURLToPath(new URL('../../../console/dist/', import.meta.url));

/** The pages of the console. Other paths are not the console's, so that a mistyped path of an API stays 404. */
const pages = [
  '/',
  '/join',
  '/reset',
  '/enter',
  '/confirmed',
  '/forgot',
  '/profile',
  '/notifications',
  '/security',
  '/guide',
  '/parts',
  '/w/*',
  // What people type, without the id of a workspace: the console leads on.
  '/login',
  '/inbox',
  '/settings',
];

/**
 * Serves the built console. Its pages load nothing from elsewhere and run no inline script; the nonce is for the styles that
 * the component library adds.
 */
export async function consoleFiles(app: FastifyInstance): Promise<void> {
  await app.register(helmet, { contentSecurityPolicy: false, hsts: false, frameguard: { action: 'deny' } });
  // The folder itself and paths out of it are errors of the library, with a status below 500.
  app.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) =>
    replyError(isRefusal(error) ? new Refusal('not_found') : error, request, reply),
  );
  await app.register(fixedFiles, {
    root: `${folder}assets`,
    prefix: '/assets/',
    preCompressed: true,
    // A part of a script helps nobody, and an impossible range would be an error.
    acceptRanges: false,
    // The names contain a hash of the content.
    immutable: true,
    maxAge: '1y',
    index: false,
    decorateReply: false,
  });
  let page: string | undefined;
  for (const url of pages) {
    app.get(url, { config: { measured_as: 'console.page' } }, async (_request, reply) => {
      page ??= await readFile(`${folder}index.html`, 'utf8').catch(() => undefined);
      if (page === undefined)
        return reply.code(503).type('text/plain').send('The console is not built: npm run build\n');
      const nonce = randomBytes(16).toString('base64');
      return reply
        .type('text/html; charset=utf-8')
        .header('Cache-Control', 'no-store')
        .header('Content-Security-Policy', policyWith(nonce))
        .send(page.replace('%NONCE%', nonce));
    });
  }
}

function isRefusal({ statusCode = 500 }: { statusCode?: number }): boolean {
  return statusCode < 500;
}

function policyWith(nonce: string): string {
  return [
    "default-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
