import { print } from '../print.ts';

/** A bar that a figure must keep. A figure of time depends on the machine, so missing it alone fails nothing. */
interface Bar {
  most: number;
  unit: string;
  isTime: boolean;
}

export interface Figures {
  /** Prints a figure with its bar. */
  measure(what: string, figure: number, bar: Bar): void;
  /** Prints what has no bar. */
  note(what: string, text: string): void;
  missed(): number;
}

export const time = (most: number): Bar => ({ most, unit: 'ms', isTime: true });
export const size = (most: number, unit: 'kB' | 'MB'): Bar => ({ most, unit, isTime: false });
export const number = (most: number): Bar => ({ most, unit: '', isTime: false });

export function openFigures(): Figures {
  let missed = 0;
  return {
    measure(what, figure, { most, unit, isTime }) {
      const isMet = figure <= most;
      if (!isMet && !isTime) missed++;
      const verdict = isMet ? 'met' : isTime ? 'MISSED (time)' : 'MISSED';
      const digits = figure < 10 ? 2 : figure < 100 ? 1 : 0;
      print(what, `${figure.toFixed(digits)} ${unit}, at most ${most}: ${verdict}`.replace(' ,', ','));
    },
    note: print,
    missed: () => missed,
  };
}

export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export const median = (values: readonly number[]) => quantileOf(values, 0.5);
