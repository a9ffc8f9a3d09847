import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** A line of a report: an ended test, a failure, or the counts at the end. */
export type ReportLine =
  | { kind: 'passed'; test: string }
  | { kind: 'failed'; test: string; error: string }
  | { kind: 'counts'; passed: number; skipped: number };

const mostCharacters = 3_000;

/** Reports to the runner as lines of JSON. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const suites: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') suites[data.nesting] = data.name;
    if (type === 'test:pass' && data.details.type !== 'suite') yield toLine({ kind: 'passed', test: nameOf(data) });
    if (type === 'test:fail' && !isOfSubtests(data.details.error)) {
      yield toLine({ kind: 'failed', test: nameOf(data), error: describe(data.details.error) });
    }
    // The counts of the whole file have no file of their own where it runs as a program.
    if (type === 'test:summary') {
      const { passed, skipped, todo } = data.counts;
      yield toLine({ kind: 'counts', passed, skipped: skipped + todo });
    }
  }

  function nameOf({ name, nesting }: { name: string; nesting: number }): string {
    return [...suites.slice(0, nesting), name].join(' › ');
  }
}

function toLine(line: ReportLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** A suite fails with its tests, which are reported themselves. */
function isOfSubtests(error: Error & { failureType?: string }): boolean {
  return error.failureType === 'subtestsFailed';
}

function describe(error: Error): string {
  const text = inspect(error.cause instanceof Error ? error.cause : error, { depth: 4 });
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}
