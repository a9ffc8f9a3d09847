import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { describeIntegratorCommands } from './cli/describe-commands.ts';
import { describeConform } from './commands/describe-conform.ts';
import { describeSettings } from './commands/describe-settings.ts';
import { CannotRun } from './process/cannot-run.ts';

/** The command line. Each command loads its own code when it is called, so that quick commands stay quick. */
export async function main(args: string[]): Promise<void> {
  // bin/majlis.js may have started this process from an older Node.js. If that parent is killed, this process ends too.
  process.once('disconnect', () => process.exit(1));
  // The reader of a pipe may close it early, as in `majlis openapi | head -1`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  try {
    const program = describeCommands();
    await describeIntegratorCommands(program, args);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has told what is wrong with the command line, or printed the help that was asked for.
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : usageExitCode);
    process.stderr.write(error instanceof CannotRun ? `majlis: ${oneLine(error.message)}\n` : await describe(error));
    // A failed start may have left connections open that keep the process alive.
    process.exit(1);
  }
}

const usageExitCode = 2;

function describeCommands(): Command {
  const program = new Command('majlis')
    .description(
      'An open, self-hosted business messaging service.\nSettings come from the environment; see docs/operating.md.',
    )
    .version(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version)
    .showHelpAfterError('(majlis --help lists the commands)')
    .exitOverride();

  describeSettings(program.command('dev'))
    .description('run the whole product on this machine: database, API, workers, platform simulator, demo workspace')
    .action(async (options) => (await import('./commands/dev.ts')).dev(options));
  describeSettings(program.command('serve'))
    .description('run the service for production')
    .action(async (options) => (await import('./commands/serve.ts')).serve(options));
  program
    .command('apply')
    .description('create or update a workspace from a file, through the running service')
    .requiredOption('-f, --file <file>', 'the workspace as YAML or JSON')
    .option('--json', "print the service's answer as it came")
    .option('--url <url>', 'where the service runs (default: HOST and PORT, or PUBLIC_URL)')
    .action(async (options) => (await import('./commands/apply.ts')).apply(options));
  program
    .command('export-workspace')
    .description('print a workspace as a file for apply, with what people made in the console and without secrets')
    .requiredOption('--workspace <name>', 'the workspace')
    .option('-o, --output <file>', 'where to write it (default: standard output)')
    .option('--url <url>', 'where the service runs (default: HOST and PORT, or PUBLIC_URL)')
    .action(async (options) => (await import('./commands/export-workspace.ts')).exportWorkspace(options));
  program
    .command('invite')
    .description('print a link, good once and for a day, with which a person joins a workspace')
    .requiredOption('--workspace <name>', 'the workspace')
    .requiredOption('--email <address>', 'the e-mail address of the person')
    .option('--role <role>', 'owner, admin, supervisor or agent', 'agent')
    .option('--owner', 'the same as --role owner')
    .option('--url <url>', 'where the service runs (default: HOST and PORT, or PUBLIC_URL)')
    .action(async (options) => (await import('./commands/invite.ts')).invite(options));
  program
    .command('reset-password')
    .description('print a link, good once and for a day, with which a person sets a new password')
    .requiredOption('--email <address>', 'the e-mail address of the person')
    .option('--url <url>', 'where the service runs (default: HOST and PORT, or PUBLIC_URL)')
    .action(async (options) => (await import('./commands/invite.ts')).resetPassword(options));
  program
    .command('import-chatwoot')
    .description('bring contacts, conversations and messages of a Chatwoot account into a workspace; nothing is sent')
    .argument('<place>', 'a folder with the saved answers of its API, or one file')
    .requiredOption('--workspace <id>', 'the workspace (ws_…)')
    .option('--channel <id>', 'the number that has the conversations, where the workspace has several (ch_…)')
    .option('--inbox <numbers...>', 'only the conversations of these inboxes of Chatwoot')
    .option('--account <number>', 'the account at Chatwoot, where the export does not name it')
    .option('--dry-run', 'say what would be imported, and import nothing')
    .option('--json', 'print JSON, for programs')
    .option('--url <url>', 'where the service runs (default: HOST and PORT, or PUBLIC_URL)')
    .action(async (place, options) => (await import('./commands/import-chatwoot.ts')).importChatwoot(place, options));
  describeClock(program.command('clock').description('the test clock of the running service'));
  program
    .command('replay')
    .description('deliver events to webhook endpoints once more')
    .option('--event <id>', 'one event, to each endpoint that it was meant for, or to --endpoint')
    .option('--endpoint <id>', 'what was never delivered to this endpoint')
    .option('--workspace <id>', 'the same for all endpoints of this workspace')
    .option('--from <moment>', 'all events from then on, delivered or not')
    .option('--to <moment>', 'all events before then, delivered or not')
    .option('--undelivered', 'of a stretch of time, only what was never delivered')
    .option('--url <url>', 'where the service runs (default: HOST and PORT, or PUBLIC_URL)')
    .action(async (options) => (await import('./commands/replay.ts')).replay(options));
  program
    .command('rotate-secret')
    .description('give a webhook endpoint a new secret, with a time in which both are valid')
    .requiredOption('--endpoint <id>', 'the endpoint')
    .option('--overlap <time>', 'how long the old secret stays valid, such as 24h or 0s', '24h')
    .option('--url <url>', 'where the service runs (default: HOST and PORT, or PUBLIC_URL)')
    .action(async (options) => (await import('./commands/rotate-secret.ts')).rotateSecret(options));
  program
    .command('events')
    .description('print the feed of events, one envelope a line')
    .option('--since <cursor>', 'go on behind this cursor or event id (default: the oldest that is kept)')
    .option('--follow', 'go on with what happens')
    .option('--workspace <id>', 'of this workspace alone')
    .option('--types <types>', 'of these types, with commas between them (default: the three of the contract)')
    .option('--url <url>', 'where the service runs (default: HOST and PORT, or PUBLIC_URL)')
    .action(async (options) => (await import('./commands/events.ts')).printEvents(options));
  program
    .command('mcp')
    .description('offer the inbox to an assistant over stdin and stdout (MCP), with the API key in MAJLIS_KEY')
    .option('--url <url>', 'where the service runs (default: MAJLIS_URL)')
    .action(async (options) => (await import('./commands/mcp.ts')).serveMcp(options));
  program
    .command('receipt')
    .description('receipts of erasures')
    .command('verify')
    .description('check that the installation signed a receipt, and that nobody changed it since')
    .argument('<file>', 'the receipt, as the console gives it')
    .option('--key <file>', 'a public key of the installation, in PEM (default: the service is asked)')
    .option('--url <url>', 'where the service runs (default: HOST and PORT, or PUBLIC_URL)')
    .action(async (file, options) => (await import('./commands/receipt.ts')).verifyReceiptFile(file, options));
  describeConform(program.command('conform'));
  program
    .command('openapi')
    .description('print the OpenAPI document')
    .action(async () => (await import('./commands/openapi.ts')).openapi());
  program
    .command('migrate')
    .description('apply pending database migrations and stop; dev and serve do it by themselves')
    .action(async () => (await import('./commands/migrate.ts')).migrateDatabase());
  return program;
}

function describeClock(clock: Command): void {
  clock
    .command('advance')
    .description('move the clock forward')
    .argument('<time>', 'how far, such as 25h, 90m, 30s or 1d12h')
    .option('--url <url>', 'where the service runs (default: HOST and PORT, or PUBLIC_URL)')
    .action(async (time, options) => (await import('./commands/clock.ts')).advanceClock(time, options));
  clock
    .command('show')
    .description('print the time that the service goes by')
    .option('--url <url>', 'where the service runs (default: HOST and PORT, or PUBLIC_URL)')
    .action(async (options) => (await import('./commands/clock.ts')).showClock(options));
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

/** Describes an unexpected error with its stack, but without the values that libraries attach to errors. */
async function describe(error: unknown): Promise<string> {
  const { describeError } = await import('./process/describe-error.ts');
  return `majlis: ${JSON.stringify(describeError(error), undefined, 2)}\n`;
}
