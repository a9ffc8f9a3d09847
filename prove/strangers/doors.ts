import { readFileSync } from 'node:fs';
import type { SeededRandom } from '@majlis/testing/seeded-random';

/** A request that needs no credential, or brings a wrong one. */
export interface Knock {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface Door {
  name: string;
  knock(random: SeededRandom): Knock;
}

const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

/** The routes for anyone, of the list that a test keeps complete, and the other doors with a wrong credential. */
export function listDoors(): Door[] {
  const page = readFileSync(new URL('../../docs/routes.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+) (\S+)` \| anyone/gm)];
  const open = rows.map(
    ([, method, url]): Door => ({
      name: `${method} ${url}`,
      knock: (random) => ({
        method: method!,
        path: url!.replaceAll(/:\w+|\*/g, () => word(random)),
        headers: method === 'GET' ? {} : json,
        body: method === 'GET' ? undefined : anyBody(random),
      }),
    }),
  );
  return [
    ...open,
    ...['/v1/contacts', '/mcp', '/operator/clock', '/console/v1/session'].map(
      (path): Door => ({
        name: `a wrong credential at ${path}`,
        knock: (random) => ({
          method: path === '/mcp' ? 'POST' : 'GET',
          path,
          headers: {
            ...json,
            authorization: `Bearer mj_test_${word(random)}`,
            cookie: `majlis_session=${word(random)}`,
          },
          body: path === '/mcp' ? anyBody(random) : undefined,
        }),
      }),
    ),
  ];
}

/** A body with the members of all these doors: each takes its own. Some are large, and some are no JSON. */
function anyBody(random: SeededRandom): string {
  const kind = random.between(0, 9);
  if (kind === 0) return `{"email": ${'['.repeat(2_000)}`;
  if (kind === 1) return JSON.stringify({ email: word(random).repeat(1_000), password: word(random), token: 'x' });
  return JSON.stringify({
    ...{ email: `${word(random)}@acme.example`, password: 'a wrong password', name: 'Nobody' },
    ...{ token: word(random).padEnd(43, 'x'), code: '000000' },
    ...{ id: word(random), rawId: word(random), type: 'public-key' },
    response: { clientDataJSON: '', authenticatorData: '', signature: '' },
    ...{ object: 'account', entry: [{ id: '1', changes: [] }] },
  });
}

function word(random: SeededRandom): string {
  return random.between(0, 2 ** 31).toString(36);
}
