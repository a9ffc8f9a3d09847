import type pg from 'pg';
import { type Query, runOn } from './run-on.ts';

// One session of the server answers nearly as much as a process can ask for. With two of them on two cores, whoever was told of the
// answers of the one pushed the other aside again and again: of statements of 1 ms, one in a hundred took 20. Where the disk is
// slow and one falls behind, more are borrowed.
const much = 8;
// What is not answered for so long is slow, or goes nowhere: nobody joins it.
const silenceMs = 20;
// To borrow and to give back takes as long as some statements.
const keepMs = 100;

/**
 * Runs statements on connections that those of one sharer use together, `most` of the pool's at a time: what is asked in
 * one moment travels together, and the server is woken once for all of it. The answers come in the order of the questions,
 * so whoever is slow delays the others of their sharer, and nobody else. Once all is answered, a connection is for the next
 * sharer. Where none is left to be shared, a statement has one of the pool's to itself.
 */
export function shareConnections(
  pool: pg.Pool,
  most: number,
): <Row>(query: Query<Row>, sharer: string) => Promise<Row[]> {
  const shared = new Set<SharedConnection>();

  function choose(sharer: string): SharedConnection | undefined {
    const own = [...shared].filter((one) => one.under_way === 0 || one.sharer === sharer);
    const [best] = own.filter((one) => one.answers).sort((a, b) => a.under_way - b.under_way);
    return (best && best.under_way < much) || shared.size >= most ? best : borrow();
  }

  function borrow(): SharedConnection {
    const one = new SharedConnection(pool.connect(), () => shared.delete(one));
    shared.add(one);
    return one;
  }

  return (query, sharer) => choose(sharer)?.run(query, sharer) ?? runOn(pool, query);
}

/** Borrowed until a statement fails, it breaks, or nobody has asked it anything for a moment. */
class SharedConnection {
  /** Statements that were asked and not answered. */
  under_way = 0;
  /** Whose they are, or were. */
  sharer: string | undefined;
  readonly #client: Promise<pg.PoolClient>;
  readonly #onEnd: () => void;
  readonly #keeping: NodeJS.Timeout;
  #heardAt = 0;
  #isOver = false;
  #hasFailed = false;

  /** `onEnd`: it is not to be asked any more. */
  constructor(client: Promise<pg.PoolClient>, onEnd: () => void) {
    this.#client = client;
    this.#onEnd = onEnd;
    this.#keeping = setTimeout(() => this.under_way === 0 && this.#end(), keepMs).unref();
    client.then(
      (lent) => lent.once('error', this.#fail),
      () => {},
    );
  }

  get answers(): boolean {
    return this.under_way === 0 || performance.now() - this.#heardAt < silenceMs;
  }

  async run<Row>(query: Query<Row>, sharer: string): Promise<Row[]> {
    this.sharer = sharer;
    if (this.under_way++ === 0) this.#heardAt = performance.now();
    try {
      return await runOn(await this.#client, query);
    } catch (error) {
      this.#fail();
      throw error;
    } finally {
      this.#heardAt = performance.now();
      if (--this.under_way === 0 && this.#isOver) this.#giveBack();
      else this.#keeping.refresh();
    }
  }

  // As the pool does: after an error it serves nobody else.
  #fail = (): void => {
    this.#hasFailed = true;
    this.#end();
  };

  /** Whoever waits for an answer still gets it. */
  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
    if (this.under_way === 0) this.#giveBack();
  }

  #giveBack(): void {
    clearTimeout(this.#keeping);
    this.#client.then(
      (client) => {
        client.off('error', this.#fail);
        client.release(this.#hasFailed);
      },
      () => {},
    );
  }
}
