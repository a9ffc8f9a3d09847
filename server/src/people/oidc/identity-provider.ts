import type { Configuration } from 'openid-client';
import { Refusal } from '../../http/reply/refusal.ts';
import { tolerantFetch } from '../../outbound/tolerant-fetch.ts';
import type { OidcSettings } from '../../process/oidc-settings.ts';
import type { Resources } from '../../process/resources.ts';

/** The secrets of one exchange. The database has them sealed, and the browser never sees them. */
export interface Exchange {
  nonce: string;
  verifier: string;
}

/** What the issuer says about a person. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

export interface IdentityProvider {
  readonly settings: OidcSettings;
  /** The issuer's page for the browser. `again` asks the issuer to prove the identity anew. */
  begin(state: string, again: boolean): Promise<{ url: string; exchange: Exchange }>;
  /** Redeems the callback. Checks state, issuer, signature, audience, expiry, nonce and PKCE. */
  finish(callback: URL, state: string, exchange: Exchange): Promise<Claims>;
}

export const callbackPath = '/console/v1/sign-in/oidc/callback';
const scope = 'openid email profile';
const timeoutSeconds = 10;
// The issuer may change its addresses. Its keys are read anew when one is unknown.
const discoveryMs = 3_600_000;

/**
 * An OpenID Connect issuer with the authorization code flow. The address is a setting of the operator and may be private. The
 * first sign-in loads the library: most processes never need it.
 */
export function createIdentityProvider({
  config: { oidc: settings, publicUrl },
  clock,
  log,
}: Pick<Resources, 'config' | 'clock' | 'log'>): IdentityProvider | undefined {
  if (!settings) return undefined;
  const redirect_uri = publicUrl + callbackPath;
  let discovered: { configuration: Configuration; at: number } | undefined;

  async function open() {
    const library = await import('openid-client');
    if (!discovered || clock.nowMs() - discovered.at > discoveryMs) {
      const configuration = await discover(library, settings!).catch((error: unknown) => {
        log.warn({ err: error }, 'the identity provider does not answer');
        throw unavailable();
      });
      discovered = { configuration, at: clock.nowMs() };
    }
    return { library, configuration: discovered.configuration };
  }

  return {
    settings,
    async begin(state, again) {
      const { library, configuration } = await open();
      const exchange = { nonce: library.randomNonce(), verifier: library.randomPKCECodeVerifier() };
      const url = library.buildAuthorizationUrl(configuration, {
        redirect_uri,
        scope,
        state,
        nonce: exchange.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(exchange.verifier),
        code_challenge_method: 'S256',
        ...(again && { prompt: 'login' }),
      });
      return { url: url.href, exchange };
    },
    async finish(callback, state, { nonce, verifier }) {
      const { library, configuration } = await open();
      try {
        const tokens = await library.authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims()!;
        if (hasAll(claims, settings) || !configuration.serverMetadata().userinfo_endpoint) return claims;
        return { ...(await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
      } catch (error) {
        log.warn({ err: error }, 'a sign-in with the identity provider failed');
        throw isUnreachable(error) ? unavailable() : new Refusal('oidc_failed');
      }
    },
  };
}

async function discover(
  library: typeof import('openid-client'),
  { issuer, clientId, clientSecret }: OidcSettings,
): Promise<Configuration> {
  const { discovery, allowInsecureRequests, customFetch, enableNonRepudiationChecks } = library;
  const { ClientSecretBasic, ClientSecretPost, None } = library;
  const authenticate: import('openid-client').ClientAuth = (server, client, body, headers) => {
    if (clientSecret === undefined) return None()(server, client, body, headers);
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isPost = methods.includes('client_secret_post');
    return (isPost ? ClientSecretPost : ClientSecretBasic)(clientSecret)(server, client, body, headers);
  };
  // Signatures are checked beside the connection, since an issuer in a LAN may be plain http.
  const execute = [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])];
  return discovery(new URL(issuer), clientId, undefined, authenticate, {
    ...{ execute, timeout: timeoutSeconds },
    [customFetch]: tolerantFetch,
  });
}

/** Some issuers put the e-mail address or the groups into the answer of the userinfo endpoint alone. */
function hasAll(claims: Claims, { groups, groupRoles, groupsClaim }: OidcSettings): boolean {
  const needsGroups = groups.length > 0 || groupRoles.length > 0;
  return claims.email !== undefined && (!needsGroups || claims[groupsClaim] !== undefined);
}

function unavailable(): Refusal {
  return new Refusal('oidc_unavailable', { headers: { 'Retry-After': '10' } });
}

/** A connection that failed, an answer that did not come in time, or a fault of the issuer's server. */
function isUnreachable(error: unknown): boolean {
  const { name, code, cause } = error as { name?: string; code?: string; cause?: { status?: number } };
  const isFault = code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && (cause?.status ?? 0) >= 500;
  return name === 'TypeError' || name === 'TimeoutError' || code === 'OAUTH_TIMEOUT' || isFault;
}
