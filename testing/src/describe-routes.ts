import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { personRules } from '@majlis/console-api';

/** A route of the service with those who may use it. */
export interface ServedRoute {
  method: string;
  /** As the router has it: `/v1/contacts/:contact_id`. */
  url: string;
  audience: string;
}

/** The parts of a route's configuration that tell its audience. */
interface RouteConfig {
  operation?: { id: string; scope?: string };
  console_operation?: { audience: string; confirmed?: boolean };
}

interface Registered {
  method: string | string[];
  url: string;
  config?: RouteConfig;
}

const anyone = 'anyone';

// The routes that belong to no operation. Whoever adds one says here who may use it.
const others: readonly (readonly [RegExp, string])[] = [
  [/^\/platform\/chatapp\/webhook$/, 'anyone; the platform proves itself by its signature or the verify token'],
  [/^\/platform\/chatapp\/media\/:token$/, 'anyone with a signed link, which ends'],
  [/^\/operator\//, "the operator's token"],
  [/^\/mcp$/, 'a key'],
  [/^\/metrics$/, 'anyone, or METRICS_TOKEN'],
  [/^\/(healthz|readyz)$/, anyone],
  [/^\/console\/v1\/sign-in\/oidc\/callback$/, 'anyone; the state in the cookie of this browser'],
  [/^\/(docs(\/.*)?|openapi\.json)$/, 'anyone; the description of the API'],
  // The pages are empty without a session.
  [
    /^\/(join|reset|enter|confirmed|forgot|profile|notifications|security|guide|parts|login|inbox|settings|w\/\*|assets\/.*)?$/,
    anyone,
  ],
];

/** Records the routes of all applications that start until `stop`. */
export function recordRoutes(): { of(url: string): ServedRoute[]; stop(): void } {
  const apps: Registered[][] = [];
  const watch = (message: unknown) => {
    const routes: Registered[] = [];
    apps.push(routes);
    const { fastify } = message as { fastify: { addHook(name: string, hook: (route: Registered) => void): void } };
    fastify.addHook('onRoute', (route) => void routes.push(route));
  };
  subscribe('fastify.initialization', watch);
  return {
    of(url) {
      const routes = apps.find((app) => app.some((route) => route.url === url));
      if (!routes) throw new Error(`no application has the route ${url}`);
      return routes.flatMap(({ method, url: path, config }) =>
        [method].flat().map((one) => ({ method: one, url: path, audience: audienceOf(path, config) })),
      );
    },
    stop: () => void unsubscribe('fastify.initialization', watch),
  };
}

function audienceOf(url: string, config: RouteConfig = {}): string {
  const { operation, console_operation } = config;
  if (console_operation) {
    const { audience, confirmed } = console_operation;
    return confirmed ? `${audience}, confirmed` : audience;
  }
  if (operation && url.startsWith('/console/v1/')) {
    const rule = personRules[operation.id as keyof typeof personRules];
    return rule ? `${rule.least}${rule.confirmed ? ', confirmed' : ''}` : 'nobody';
  }
  if (operation) return operation.scope ? `a key with ${operation.scope}` : 'a key';
  return others.find(([path]) => path.test(url))?.[1] ?? 'UNKNOWN';
}

/** The page of documentation that lists the routes. A `HEAD` has the audience of its `GET`. */
export function writeRoutes(routes: readonly ServedRoute[]): string {
  const rows = routes
    .filter(({ method }) => method !== 'HEAD')
    .map(({ method, url, audience }) => `| \`${method} ${url}\` | ${audience} |`)
    .sort((a, b) => a.localeCompare(b, 'en'));
  return `${[
    '# Routes',
    '',
    'Every route of the service and who may use it, as its test writes it. The test fails on a route that is not here.',
    'A role is the least one of a member; *confirmed* needs a proof of identity of the last ten minutes.',
    '',
    '| Route | Audience |',
    '| --- | --- |',
    ...rows,
  ].join('\n')}\n`;
}
