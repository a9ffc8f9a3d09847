import pg from 'pg';

const goodbyeMs = 1_000;

/** A connection that writes once for all the statements of a moment, and whose end comes. */
export class Client extends pg.Client {
  #holdsBack = false;

  // Statements that a story asks for together leave together: written one by one, each wakes the server, which then takes
  // the processor from us while we write the next.
  override query(...statement: unknown[]): never {
    this.#holdBack();
    return (super.query as (...statement: unknown[]) => never)(...statement);
  }

  #holdBack(): void {
    if (this.#holdsBack) return;
    this.#holdsBack = true;
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => {
      this.#holdsBack = false;
      stream.uncork();
    });
  }

  // It waits for the server's goodbye, but not for ever: one that died without a word would stay open.
  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    setTimeout(() => this.connection.stream.destroy(), goodbyeMs).unref();
    return callback ? super.end(callback) : super.end();
  }
}
