import pg from 'pg';

const goodbyeMs = 1_000;

/** A connection that writes the statements of one tick together, and whose end takes a bounded time. */
export class CorkedClient extends pg.Client {
  #isCorked = false;

  // Written one by one, each statement wakes the server, which then takes the processor while the next one is written.
  override query(...statement: unknown[]): never {
    this.#cork();
    // biome-ignore lint/plugin: the three arguments of pg's `query`
    return (super.query as (...statement: unknown[]) => never)(...statement);
  }

  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  // The driver waits for the server to close the connection. A connection that died silently would stay open.
  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    setTimeout(() => this.connection.stream.destroy(), goodbyeMs).unref();
    return callback ? super.end(callback) : super.end();
  }
}
