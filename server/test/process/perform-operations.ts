import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { describeIntegratorCommands } from '../../src/cli/describe-commands.ts';

// Runs the command lines that stdin has, a JSON array each, in one process: sixty starts would take half a minute.
for (const line of (await text(process.stdin)).trim().split('\n')) {
  const args = JSON.parse(line) as string[];
  const program = new Command('majlis').exitOverride();
  await describeIntegratorCommands(program, args);
  await program.parseAsync(args, { from: 'user' });
}
