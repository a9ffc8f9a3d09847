import { after, afterEach, beforeEach, getTestContext, type TestContext } from 'node:test';

interface Step {
  name: string;
  run: Undo;
  within_ms: number;
}

/** `failure` is why the test failed whose set-up it undoes. Undefined after a success, and for a whole file. */
type Undo = (failure?: unknown) => unknown;

/** Node's types lack why a test failed. */
type Scope = TestContext & { error?: Error | null };

const scopes = new WeakMap<object, Step[]>();
const ofFile: Step[] = [];
const running = new Set<object>();
let isOver = false;

beforeEach((context) => void running.add(context));
afterEach((context) => void running.delete(context));
after(() => {
  isOver = true;
  return undoFile();
});

/** Undoes the set-ups of the file, where another file follows in the same process. */
export function undoFile(): Promise<void> {
  return undoAll(ofFile);
}

/**
 * Undoes a set-up at the end of the test, suite or file that calls this. The steps of one scope run in reverse order,
 * each within its time, whatever the others did. Their faults are reported together, after the last step.
 */
export function cleanUp(name: string, run: Undo, within_ms = 20_000): void {
  const context = findScope();
  if (context === undefined) {
    cleanUpAtEnd(name, run, within_ms);
    return;
  }
  let steps = scopes.get(context);
  if (!steps) {
    steps = [];
    scopes.set(context, steps);
    const ofScope = steps;
    // Not `after` itself, which in a hook runs at the end of the hook.
    context.after(() => undoAll(ofScope, context.error ?? undefined));
  }
  steps.push({ name, run, within_ms });
}

/** The same at the end of the file, for things that outlive the test that set them up. */
export function cleanUpAtEnd(name: string, run: Undo, within_ms = 20_000): void {
  if (isOver) Promise.try(() => run()).catch(() => {});
  else ofFile.push({ name, run, within_ms });
}

/** Undefined for the file. */
function findScope(): Scope | undefined {
  const context = getTestContext() as Scope | undefined;
  if (context === undefined || context.name === '<root>') return undefined;
  // Behind a promise of an earlier test, Node still names that one.
  if (context.signal.aborted) return [...running].at(-1) as Scope | undefined;
  return context;
}

async function undoAll(steps: Step[], failure?: unknown): Promise<void> {
  const faults: Error[] = [];
  for (let step = steps.pop(); step; step = steps.pop()) {
    const { name, run, within_ms } = step;
    await within(
      Promise.try(() => run(failure)),
      within_ms,
      name,
    ).catch((cause) => {
      faults.push(new Error(`clean-up failed: ${name}`, { cause }));
    });
  }
  if (faults.length > 0) throw faults.length === 1 ? faults[0] : new AggregateError(faults, 'clean-up failed');
}

/** The value of `promise`. Fails with the name of the awaited fact after `within_ms`. */
export async function within<Value>(promise: Promise<Value>, within_ms: number, name: string): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`not within ${within_ms} ms: ${name}`)), within_ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
