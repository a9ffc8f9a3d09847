// What is not answered for so long is slow, or goes nowhere: who came meanwhile asks anew.
const patienceMs = 20;

/** Answers what `read` answers; `name` is the same for reads that would be answered alike. */
export type ReadTogether<Answer> = (name: string, read: () => Promise<Answer>) => Promise<Answer>;

/**
 * One read for all who ask for the same at the same time: the agents of a team have the same inbox open, and ask for it at
 * the same event. Who comes while such a read is under way waits for the next one, with all who come until it begins: no
 * answer is older than its question, and whoever wrote before asking reads what they wrote.
 */
export function readTogether<Answer>(): ReadTogether<Answer> {
  /** By name: the round that began last. */
  const rounds = new Map<string, Round<Answer>>();

  function begin(name: string, read: () => Promise<Answer>): Promise<Answer> {
    const round: Round<Answer> = { answer: read(), next: undefined };
    rounds.set(name, round);
    const leave = () => {
      if (rounds.get(name) === round && !round.next) rounds.delete(name);
    };
    round.answer.then(leave, leave);
    return round.answer;
  }

  return (name, read) => {
    const latest = rounds.get(name);
    if (!latest) return begin(name, read);
    latest.next ??= isOver(latest.answer).then(() => begin(name, read));
    return latest.next;
  };
}

interface Round<Answer> {
  answer: Promise<Answer>;
  /** Of those who came since; has not begun. */
  next: Promise<Answer> | undefined;
}

/** Or has taken too long. Never rejects. */
function isOver(answer: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMs);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    answer.then(end, end);
  });
}
