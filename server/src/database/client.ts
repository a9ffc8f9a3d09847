import pg from 'pg';

const goodbyeMs = 1_000;

/** A connection that waits for the server's goodbye, but not for ever: one that died without a word would stay open. */
export class Client extends pg.Client {
  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    setTimeout(() => this.connection.stream.destroy(), goodbyeMs).unref();
    return callback ? super.end(callback) : super.end();
  }
}
