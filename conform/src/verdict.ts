/** The deployment breaks a clause. */
export class Broken extends Error {
  override name = 'Broken';
  readonly expected: string;
  readonly came: string;

  constructor(expected: string, came: string) {
    super(`expected ${expected}, came ${came}`);
    this.expected = expected;
    this.came = came;
  }
}

/** A request got no response. */
export class NoAnswer extends Broken {
  override name = 'NoAnswer';
  readonly reason: string;

  constructor(reason: string) {
    super('an answer', `none: ${reason}`);
    this.reason = reason;
  }
}

/** The run cannot check a clause. The message says why. */
export class NotChecked extends Error {
  override name = 'NotChecked';
}

/** Throws Broken unless `holds`. */
export function assertThat(holds: boolean, expected: string, came: unknown): asserts holds {
  if (!holds) throw new Broken(expected, typeof came === 'string' ? came : (JSON.stringify(came) ?? 'nothing'));
}

export function assertSame(came: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(came), JSON.stringify(expected)];
  if (a !== b) throw new Broken(`${what} ${b ?? 'nothing'}`, a ?? 'nothing');
}
