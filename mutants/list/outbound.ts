import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/outbound/resolve-checked.ts',
    ['server/test/outbound-addresses.test.ts'],
    [['!addresses.every(', '!addresses.some(', 'a name with one public and one private address is called']],
  ),
  ...faultsIn(
    'server/src/outbound/is-public-address.ts',
    ['server/src/outbound/is-public-address.test.ts'],
    [
      [
        'parsed.match(globalUnicast) && !isIsatap(parsed)',
        'parsed.match(globalUnicast)',
        'an address that embeds a private one is called',
      ],
      [
        "parsed.range() !== 'unicast' || own",
        'false || own',
        'a private address is called',
        ['server/src/outbound/is-public-address.test.ts', 'server/test/outbound-addresses.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/outbound/create-connector.ts',
    ['server/test/outbound-addresses.test.ts'],
    [
      [
        'if (!isIP(options.hostname)) return attempt',
        'if (options) return attempt',
        'a private address in the URL itself is called',
        ['server/test/outbound-addresses.test.ts', 'server/test/webhook-addresses.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/outbound/read-target.ts',
    ['server/test/outbound-addresses.test.ts', 'server/test/webhook-addresses.test.ts'],
    [
      [
        "url.protocol !== 'https:' && !(allow_private && url.protocol === 'http:')",
        "url.protocol !== 'https:' && url.protocol !== 'http:'",
        'an endpoint may be on plain http',
        ['server/test/webhook-addresses.test.ts', 'server/test/outbound-addresses.test.ts'],
      ],
    ],
  ),
  ...faultsIn(
    'server/src/outbound/get-guarded.ts',
    ['server/test/outbound-redirects.test.ts'],
    [
      [
        'readTarget(address, { allow_private })',
        'readTarget(address, { allow_private: allow_private || redirects > 0 })',
        'a redirect of a knowledge source may leave https',
      ],
      [
        'redirects <= mostRedirects',
        'redirects < 50',
        'redirects are followed without end',
        ['server/test/ai-knowledge.test.ts', 'server/test/outbound-redirects.test.ts'],
      ],
      ['length > max_bytes', 'length < 0', 'a page may be of any length', ['server/test/ai-knowledge.test.ts']],
    ],
  ),
  ...faultsIn(
    'server/src/outbound/exchange.ts',
    ['server/src/outbound/exchange.test.ts', 'server/test/outbound-outcomes.test.ts'],
    [
      ["if (this.#controller) throw new Error('a request is written only once');", '', 'a request is written twice'],
      [
        "if (!this.#controller) this.#settle({ type: 'not_written', ...cause });\n    else if",
        'if',
        'a send that was never written counts as of unknown outcome',
      ],
      ['this.#length > this.#limits.max_answer_bytes', 'this.#length < 0', 'an answer may be of any length'],
    ],
  ),
  ...faultsIn(
    'server/src/outbound/space-calls.ts',
    ['server/src/outbound/space-calls.test.ts'],
    [['host.next += interval;', 'host.next += 0;', 'a host that comes back is flooded']],
  ),
  ...faultsIn(
    'server/src/outbound/origin-pools.ts',
    ['server/test/outbound-connections.test.ts', 'server/test/outbound-redirects.test.ts'],
    [
      [
        'const key = `${kind} ${origin}`;',
        'const key = origin;',
        'a connection to a private address is used for a public one',
      ],
      ['if (this.#sockets >= this.#max_sockets) return', 'if (false) return', 'connections have no bound'],
      ['clientTtl: max_age_ms,', '', 'a connection outlives its look-up'],
    ],
  ),
];
