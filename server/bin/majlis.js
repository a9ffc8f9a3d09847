#!/usr/bin/env node
// Plain JavaScript that any Node.js from 20 on can read: the rest is TypeScript, which Node.js 24 runs as it is.
import { spawn } from 'node:child_process';
import module from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const oldestNode = 24;

// Left to itself on a large machine, V8 lets 100 MB of young and 90 MB of old garbage gather before it cleans: 281 MB at
// full load. So the service stays at about 200 MB, for a twentieth of its throughput. Its helpers take the cores of a small
// machine from PostgreSQL while they compile and clean: with two of the four, the slowest hundredth of the answers in the
// first seconds comes a fifth sooner; one alone falls behind, and garbage gathers. V8 takes these at its start only.
const v8Flags = ['--max-semi-space-size=8', '--heap-growing-percent=40', '--v8-pool-size=2'];

// The other commands end soon: the second start would be most of their time.
const isService = ['dev', 'serve'].includes(process.argv[2]);

if (Number.parseInt(process.versions.node, 10) >= oldestNode) {
  if (isService && process.execve && !process.execArgv.includes(v8Flags[0])) {
    // The same process goes on: its id, its files and its signals stay.
    process.execve(
      process.execPath,
      [process.execPath, ...v8Flags, ...process.execArgv, ...process.argv.slice(1)],
      process.env,
    );
  }
  // Compiled code is kept beside the packages that it comes from: later starts load in 0.4 s instead of 1 s.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/majlis', import.meta.url)));
  const { main } = await import('../src/main.ts');
  await main(process.argv.slice(2));
} else {
  runWithPinnedNode();
}

/** Runs this file again with the Node.js that npm installed beside us, as if it were this process. */
function runWithPinnedNode() {
  const node = findPinnedNode();
  if (!node) return refuse(`Majlis needs Node.js ${oldestNode}, and this is ${process.version}: run npm ci first`);
  // The channel tells the child when this process is killed and cannot pass that on.
  const child = spawn(node, [...v8Flags, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) =>
    refuse(`Majlis needs Node.js ${oldestNode}, and ${node} does not run: ${error.message}`),
  );
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function findPinnedNode() {
  try {
    return join(dirname(module.createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
  } catch {
    return undefined;
  }
}

function refuse(message) {
  process.stderr.write(`majlis: ${message}\n`);
  process.exitCode = 1;
}
