// Two who happen to ask for the same are a read each: the second would wait twice as long for an answer of its own.
const atOnce = 2;
// What is not answered for so long is slow, or goes nowhere: who came meanwhile asks anew.
const patienceMs = 20;

/** Answers what `read` answers; `name` is the same for reads that would be answered alike. */
export type ReadTogether<Answer> = (name: string, read: () => Promise<Answer>) => Promise<Answer>;

/**
 * A few reads for all who ask for the same at the same time: the agents of a team have the same inbox open, and ask for it
 * at the same event. Who comes while such reads are under way waits for the next one, with all who come until it begins: no
 * answer is older than its question, and whoever wrote before asking reads what they wrote.
 */
export function readTogether<Answer>(): ReadTogether<Answer> {
  const lines = new Map<string, Line<Answer>>();

  function lineOf(name: string): Line<Answer> {
    const known = lines.get(name);
    if (known) return known;
    const line: Line<Answer> = { under_way: 0 };
    lines.set(name, line);
    return line;
  }

  return (name, read) => {
    const line = lineOf(name);

    async function run(): Promise<Answer> {
      line.under_way++;
      try {
        return await read();
      } finally {
        line.under_way--;
        if (line.next) line.next.begin();
        else if (line.under_way === 0) lines.delete(name);
      }
    }
    if (line.next) return line.next.answer;
    if (line.under_way < atOnce) return run();
    const { promise: turn, resolve: begin } = Promise.withResolvers<void>();
    const timer = setTimeout(begin, patienceMs);
    const answer = turn.then(() => {
      clearTimeout(timer);
      delete line.next;
      return run();
    });
    line.next = { begin, answer };
    return answer;
  };
}

/** Of those who ask for the same. */
interface Line<Answer> {
  /** Reads that have begun. */
  under_way: number;
  /** The read that has not, for who comes meanwhile. */
  next?: { begin: () => void; answer: Promise<Answer> };
}
