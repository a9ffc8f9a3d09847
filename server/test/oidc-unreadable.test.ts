import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { listen } from '@majlis/testing/listen';
import { openBrowser } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

const origin = 'https://desk.example';
const tokens = 'token=canary';

/** An issuer that answers its tokens as a form, and calls the form JSON. */
async function startConfusedIssuer(): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/token') return response.end(tokens);
    const endpoints = {
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
    };
    return response.end(JSON.stringify({ issuer: url, ...endpoints }));
  });
  const url = await listen(server);
  return url;
}

describe('tokens that cannot be read', () => {
  it('are in no line of the log', async () => {
    const majlis = await startTestService({
      env: {
        ...{ PUBLIC_URL: origin, RATE_LIMITS: 'off', OIDC_ISSUER: await startConfusedIssuer() },
        ...{ OIDC_CLIENT_ID: 'majlis', OIDC_CLIENT_SECRET: 'a-secret-of-the-issuer', OIDC_NAME: 'Acme ID' },
      },
    });
    const browser = openBrowser(majlis);
    const { body } = await browser.post('/sign-in/oidc');
    const state = new URL(body.url).searchParams.get('state');
    const headers = { 'sec-fetch-site': 'cross-site' };
    const path = `/sign-in/oidc/callback?code=any&state=${state}`;
    const answer = await browser.request('GET', path, undefined, headers);
    assert.equal(answer.headers.get('location'), `${origin}/?failed=oidc_failed`);
    const told = majlis.log.filter((line) => line.includes('a sign-in with the identity provider failed'));
    assert.match(told.join(''), /SyntaxError/);
    assert.doesNotMatch(majlis.log.join(''), /canary/);
  });
});
