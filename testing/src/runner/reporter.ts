import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** A line of a report: an ended test or suite, and the end of all. `test` has the names of its suites in front. */
export type ReportLine =
  | { kind: 'passed' | 'skipped'; test: string[] }
  | { kind: 'failed'; test: string[]; error: string }
  | { kind: 'suite'; test: string[]; at: number }
  | { kind: 'end' };

const mostCharacters = 3_000;
const lateFailure = /^Error: .* asynchronous activity after the test ended/;

/** Reports to the runner as lines of JSON. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const suites: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') suites[data.nesting] = data.name;
    if (type === 'test:pass' && data.details.type !== 'suite') {
      const isSkipped = data.skip !== undefined || data.todo !== undefined;
      yield toLine({ kind: isSkipped ? 'skipped' : 'passed', test: nameOf(data) });
    }
    if (type === 'test:fail' && !isOfSubtests(data.details.error)) {
      yield toLine({ kind: 'failed', test: nameOf(data), error: describe(data.details.error) });
    }
    // The test has passed by then, so the process fails without a failed test.
    if (type === 'test:diagnostic' && lateFailure.test(data.message)) {
      yield toLine({ kind: 'failed', test: [...suites.slice(0, 1), '(after its end)'], error: data.message });
    }
    if ((type === 'test:pass' || type === 'test:fail') && data.details.type === 'suite') {
      yield toLine({ kind: 'suite', test: nameOf(data), at: Date.now() });
    }
    if (type === 'test:summary') yield toLine({ kind: 'end' });
  }

  function nameOf({ name, nesting }: { name: string; nesting: number }): string[] {
    return [...suites.slice(0, nesting), name];
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
