const width = 24;

export interface Progress {
  update(done: number, total?: number): void;
  /** Leaves the line to what comes next. */
  end(): void;
}

/** A bar on stderr for a person who waits. A pipe or a log gets nothing. */
export function createProgress(words: string): Progress {
  if (!process.stderr.isTTY) return { update() {}, end() {} };
  const numbers = new Intl.NumberFormat('en');
  return {
    update(done, total) {
      const share = total ? Math.min(1, done / total) : 0;
      const filled = Math.round(share * width);
      const bar = total === undefined ? '' : `${'█'.repeat(filled)}${'░'.repeat(width - filled)}  `;
      const end = total === undefined ? '' : ` of ${numbers.format(total)}`;
      process.stderr.write(`\r\u001b[K${bar}${numbers.format(done)}${end} ${words}`);
    },
    end: () => void process.stderr.write('\r\u001b[K'),
  };
}
