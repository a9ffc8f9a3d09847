import ipaddr from 'ipaddr.js';
import { CannotRun } from './cannot-run.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads single settings. `undefined` means unset. */
export function readerOf(env: Environment) {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  return {
    text,
    /** Refuses a secret that is short enough to be guessed. No error shows the value. */
    secret(name: string, min_length: number): string | undefined {
      const value = text(name);
      if (value && value.length < min_length)
        throw new CannotRun(`${name} must have at least ${min_length} characters`);
      return value;
    },
    number(name: string, fallback: number, min: number, max: number): number {
      const value = text(name);
      if (value === undefined) return fallback;
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      if (!(number >= min && number <= max)) throw wrong(name, value, `a whole number from ${min} to ${max}`);
      return number;
    },
    flag(name: string, fallback: boolean): boolean {
      const value = text(name);
      if (value === undefined) return fallback;
      if (['1', 'on', 'true', 'yes'].includes(value.toLowerCase())) return true;
      if (['0', 'off', 'false', 'no'].includes(value.toLowerCase())) return false;
      throw wrong(name, value, 'on (1) or off (0)');
    },
    one<Choice extends string>(name: string, choices: Choice[], fallback: Choice): Choice {
      const value = text(name) ?? fallback;
      const choice = choices.find((known) => known === value);
      if (!choice) throw wrong(name, value, `one of ${choices.join(', ')}`);
      return choice;
    },
    /** A selection of the choices. Unset means all of them. */
    list<Choice extends string>(name: string, choices: Choice[]): readonly Choice[] {
      const value = text(name);
      if (value === undefined) return choices;
      const words = value.split(',').map((word) => word.trim());
      if (words.some((word) => !choices.includes(word as Choice))) {
        throw wrong(name, value, `a list of ${choices.join(', ')}`);
      }
      return choices.filter((choice) => words.includes(choice));
    },
    /** Addresses and networks such as `10.0.0.0/8`. */
    networks(name: string): string[] {
      const value = text(name);
      const networks = value === undefined ? [] : value.split(',').map((network) => network.trim());
      if (!networks.every((network) => ipaddr.isValid(network) || ipaddr.isValidCIDR(network))) {
        throw wrong(name, value!, 'a list of addresses and networks, such as 127.0.0.1,10.0.0.0/8');
      }
      return networks;
    },
    /** Host names in the spelling of `URL`. */
    hosts(name: string, fallback: string): string[] {
      const value = text(name) ?? fallback;
      const names = value.split(',').map((host) => host.trim().toLowerCase());
      if (names.some((host) => URL.parse(`http://${host}`)?.host !== host))
        throw wrong(name, value, 'a list of host names');
      return names;
    },
    /** `majlis@acme.example` or `Majlis <majlis@acme.example>`. */
    mailbox(name: string): string | undefined {
      const value = text(name);
      if (value !== undefined && !/^([^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(value)) {
        throw wrong(name, value, 'an e-mail address');
      }
      return value;
    },
    /** A URL without the slash at its end. Errors do not repeat it, since it may contain a password. */
    url(name: string, protocols: string[]): string | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      const { protocol, hostname } = URL.parse(value) ?? {};
      if (!protocol || !protocols.includes(protocol)) {
        throw new CannotRun(
          `${name} is not a URL that begins with ${protocols.map((known) => `${known}//`).join(' or ')}`,
        );
      }
      // A PostgreSQL URL may name a socket in its query instead of a host.
      if (!hostname && !protocols.includes('postgres:')) throw new CannotRun(`${name} names no host`);
      if (protocols.includes('http:') && /[?#]/.test(value)) {
        throw new CannotRun(`${name} has a ? or #, but paths are put behind it`);
      }
      return value.replace(/\/+$/, '');
    },
  };
}

function wrong(name: string, value: string, expected: string): CannotRun {
  return new CannotRun(`${name} is ${JSON.stringify(value)}, but must be ${expected}`);
}

export function missing(name: string, meaning: string): CannotRun {
  return new CannotRun(`${name} is not set: ${meaning}`);
}
