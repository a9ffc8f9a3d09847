import type { Decision } from './decision.ts';

export const authentication: readonly Decision[] = [
  {
    open: 'Full list of scopes and which endpoint needs which scope',
    chosen:
      'A key keeps and shows the scopes that it was given. `messages:write` is asked for on the two sends, ' +
      '`contacts:read` and `contacts:write` on reads and writes under `/v1/contacts`, and nothing else asks for one. A ' +
      'setting turns this off.',
    because: 'The names of the three scopes that the contract shows say where they belong.',
  },
  {
    open: 'Response when a scope is missing',
    chosen: '403 with `WWW-Authenticate: Bearer error="insufficient_scope"`, and `code` `insufficient_scope`.',
    because: 'RFC 6750, which defines Bearer authentication, says so.',
  },
  {
    open: 'Key creation, revocation or expiry through the API',
    chosen: 'None under `/v1`. Keys are made and revoked by the operator.',
    because: 'The contract has no operation for it.',
  },
  {
    open: 'Behavioral difference between test and live keys',
    chosen: 'None but the label.',
    because: 'It can stay open.',
  },
  {
    open: 'How a client selects or pins an `api_version`',
    chosen: 'It does not: there is one date, that of the contract version which is served.',
    because: 'There is one version to serve.',
  },
  {
    open: 'Deprecation and compatibility policy',
    chosen: 'None.',
    because: 'It can stay open.',
  },
];
