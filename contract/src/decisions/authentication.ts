import type { Decision } from './decision.ts';

export const authenticationDecisions: readonly Decision[] = [
  {
    open: 'Full list of scopes and which endpoint needs which scope',
    chosen:
      'A key keeps and shows the scopes that it was given. The two sends require `messages:write`. Reads and ' +
      'writes under `/v1/contacts` require `contacts:read` and `contacts:write`. No other operation requires a ' +
      'scope. A setting turns the checks off.',
    because: 'The names of the three scopes in the contract tell their operations.',
  },
  {
    open: 'Response when a scope is missing',
    chosen: '403 with `WWW-Authenticate: Bearer error="insufficient_scope"`, and `code` `insufficient_scope`.',
    because: 'RFC 6750, which defines Bearer authentication, requires it.',
  },
  {
    open: 'Key creation, revocation or expiry through the API',
    chosen: 'None under `/v1`. The operator creates and revokes keys.',
    because: 'The contract has no operation for it.',
  },
  {
    open: 'Behavioral difference between test and live keys',
    chosen: 'None but the label.',
    because: 'It can stay open.',
  },
  {
    open: 'How a client selects or pins an `api_version`',
    chosen: 'It cannot. The service has one date, the date of its contract version.',
    because: 'There is one version to serve.',
  },
  {
    open: 'Deprecation and compatibility policy',
    chosen: 'None.',
    because: 'It can stay open.',
  },
];
