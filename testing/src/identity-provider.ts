import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import { listen } from './listen.ts';

/** An account of the identity provider, with its claims besides `sub`. */
export type Account = Readonly<Record<string, unknown>>;

export interface TestIssuer {
  url: string;
  settings: Record<string, string>;
  /** Who is in front of the next browser. */
  account: { sub: string; claims: Account };
  /** Changes the parameters of each authorization request, as a dishonest issuer would. */
  tamper: ((query: URLSearchParams) => void) | undefined;
  /** Answers 503 to all requests. */
  isDown: boolean;
  /** The paths that were asked for. */
  paths: string[];
  /** Closes all connections without an answer. */
  isAway: boolean;
}

const client_id = 'majlis';
const client_secret = 'a-secret-of-the-issuer';

interface IssuerOptions {
  redirect_uri: string;
  /** Whether it tells about a person outside the token too. */
  has_userinfo?: boolean;
  /** Whether its token names the account alone. */
  has_bare_token?: boolean;
  /** Whether the client has no secret. */
  is_public?: boolean;
}

/** A real OpenID Connect issuer whose person is signed in already and agrees to everything. */
export async function startIssuer({
  redirect_uri,
  has_userinfo = true,
  has_bare_token = false,
  is_public = false,
}: IssuerOptions): Promise<TestIssuer> {
  const secret = is_public ? undefined : client_secret;
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    issuer.paths.push(new URL(request.url!, issuer.url).pathname);
    if (issuer.isAway) request.destroy();
    else if (issuer.isDown) response.writeHead(500).end();
    else if (request.url!.startsWith('/agree/')) void agree(request, response);
    else {
      const url = new URL(request.url!, issuer.url);
      if (url.pathname === '/auth') issuer.tamper?.(url.searchParams);
      request.url = url.pathname + url.search;
      provider!.callback()(request, response);
    }
  });
  const url = await listen(server);
  const issuer: TestIssuer = {
    url,
    settings: { OIDC_ISSUER: url, OIDC_CLIENT_ID: client_id, OIDC_CLIENT_SECRET: secret ?? '', OIDC_NAME: 'Acme ID' },
    account: { sub: 'nobody', claims: {} },
    tamper: undefined,
    isDown: false,
    isAway: false,
    paths: [],
  };

  async function agree(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params } = await provider!.interactionDetails(request, response);
    const accountId = issuer.account.sub;
    if (prompt.name === 'login') return provider!.interactionFinished(request, response, { login: { accountId } });
    const grant = new provider!.Grant({ accountId, clientId: String(params.client_id) });
    grant.addOIDCScope('openid email profile groups');
    const grantId = await grant.save();
    return provider!.interactionFinished(request, response, { consent: { grantId } });
  }

  provider = new Provider(url, {
    clients: [
      {
        ...{ client_id, redirect_uris: [redirect_uri] },
        ...(secret ? { client_secret: secret } : { token_endpoint_auth_method: 'none' }),
      },
    ],
    claims: { email: ['email', 'email_verified', 'groups'], profile: ['name'] },
    conformIdTokenClaims: has_bare_token,
    features: { devInteractions: { enabled: false }, userinfo: { enabled: has_userinfo } },
    interactions: { url: (_context, { uid }) => `/agree/${uid}` },
    jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
    cookies: { keys: ['a key of the tests'] },
    pkce: { required: () => true },
    async findAccount(_context, sub) {
      const { claims } = issuer.account;
      return { accountId: sub, claims: async () => ({ sub, ...claims }) };
    },
  });
  return issuer;
}

/** Follows the redirects of a browser until one leaves the issuer. Answers its address. */
export async function visitIssuer(issuer: TestIssuer, begin: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(begin);
  for (let hops = 1; url.origin === issuer.url; hops++) {
    if (hops > 20) throw new Error(`the issuer redirects without an end: ${url}`);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie }, signal: AbortSignal.timeout(30_000) });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    const next = response.headers.get('location');
    if (!next) throw new Error(`the issuer answered ${response.status}: ${await response.text()}`);
    url = new URL(next, url);
  }
  return url;
}
