import { type MethodName, methodNames } from '@majlis/contract/method-names';
import { Argument, type Command } from 'commander';
import { act, withCommonOptions } from './act.ts';
import { completeCommand, completedShells, printCandidates, printCompletion } from './completion.ts';
import type { LoginOptions, ProfileOptions } from './login.ts';
import { toKebab } from './named-operation.ts';
import { triggeredEvents } from './trigger/event-names.ts';
import type { TriggerOptions } from './trigger/trigger.ts';

const group = 'For integrators (docs/cli.md):';

/** The names of the operations, by resource: `messages` has `send` and `get`. */
export function listResources(): Map<string, string[]> {
  const resources = new Map<string, string[]>();
  for (const { name } of Object.values<MethodName>(methodNames)) {
    const [resource, verb] = name.split('.').map(toKebab) as [string, string];
    resources.set(resource, [...(resources.get(resource) ?? []), verb]);
  }
  return resources;
}

/** Adds the integrator's commands. Those of a resource need the schemas of the contract, so only the one that is called loads them. */
export async function describeIntegratorCommands(program: Command, args: readonly string[]): Promise<void> {
  program
    .command('login')
    .helpGroup(group)
    .description('store an API key, which is read from the terminal or from stdin, as a profile')
    .option('--profile <name>', 'the name of the profile', 'default')
    .option('--url <url>', 'where the service runs (default: that of the profile, MAJLIS_URL or http://127.0.0.1:8080)')
    .option('--json', 'print what the key may do as JSON')
    .action(act<LoginOptions>(async (call) => (await import('./login.ts')).login(call)));
  program
    .command('logout')
    .helpGroup(group)
    .description('remove a profile with its key')
    .option('--profile <name>', 'the name of the profile', 'default')
    .action(act<ProfileOptions>(async (call) => (await import('./login.ts')).logout(call)));
  program
    .command('profiles')
    .helpGroup(group)
    .description('list the profiles')
    .option('--json', 'print JSON, for programs')
    .action(act(async (call) => (await import('./login.ts')).listProfiles(call)));
  withCommonOptions(program.command('api').helpGroup(group))
    .description('make any request, and print the answer as JSON')
    .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
    .argument('<path>', 'such as /v1/conversations')
    .option('-d, --data <json>', 'the body as JSON, or @FILE, or - for stdin')
    .option('--query <name=value>', 'a member of the query; may be repeated', collect)
    .option('--idempotency-key <key>', 'a request with the same key and body acts once')
    .option('--include', 'print the status and the headers first')
    .option('--yes', 'do not ask before a DELETE')
    .action(act(async (call) => (await import('./api.ts')).callApi(call)));
  withCommonOptions(program.command('send').helpGroup(group))
    .description('send a message to a number, a contact (ct_…) or a conversation (cv_…)')
    .argument('<to>', 'such as +96891234567')
    .argument('[text]', 'the text, or the caption of a file; - reads it from stdin')
    .option('--template <name>', 'an approved template, the only kind that a closed window takes')
    .option('--language <language>', 'the language of the template')
    .option('--param <value>', 'the next value of the template; repeat it for each', collect)
    .option('--file <file>', 'a file of this machine to send')
    .option('--media <id>', 'an uploaded file (med_…) to send; needs --kind')
    .option('--kind <kind>', 'of a file: image, video, voice or file (default: by its type)')
    .option('--reply-to <id>', 'the message to quote')
    .option('--channel <id>', 'the number that sends, where the workspace has several')
    .option('--idempotency-key <key>', 'repeat a command with the same key: it sends once')
    .action(act(async (call) => (await import('./send.ts')).send(call)));
  withCommonOptions(program.command('listen').helpGroup(group))
    .description('follow the events of the key, and forward them to a receiver that needs no public address')
    .option('--forward-to <url>', 'the receiver, as an address or a port of this machine; absent: print the events')
    .option('--events <types...>', 'only these types, such as message.received')
    .option('--event-data <form>', 'basic or full: with the details, such as the sender and the file')
    .option('--from <place>', 'latest or oldest, in the place of where the last listener stopped')
    .option('--resend <event>', 'forward this event (evt_…) once more, and stop')
    .option('--print-secret', 'print the secret of the signatures, and stop')
    .action(act(async (call) => (await import('./listen/listen.ts')).listen(call)));
  withCommonOptions(program.command('import').helpGroup(group))
    .description('store the contacts of a file of any size: CSV with a head, or JSON')
    .argument('<file>', 'the file, or - for stdin')
    .action(act(async (call) => (await import('./import/import-contacts.ts')).importContacts(call)));
  withCommonOptions(program.command('trigger').helpGroup(group))
    .description('make an event happen, through the simulator of npm start, and print it')
    .addArgument(new Argument('<event>', 'the type of the event').choices(triggeredEvents))
    .option('--from <number>', 'the customer', '+96891234567')
    .option('--text <text>', 'what the customer writes (default: a greeting)', '')
    .option('--template <name>', 'the template whose status changes (default: any)')
    .option('--channel <id>', 'the number of the workspace (default: the first)')
    .option('--simulator <url>', 'where the simulator is (default: SIMULATOR_HOST and SIMULATOR_PORT)')
    .action(act<TriggerOptions>(async (call) => (await import('./trigger/trigger.ts')).trigger(call)));
  withCommonOptions(
    program
      .command('logs')
      .helpGroup(group)
      .description('what happens at the webhook endpoints')
      .command('tail')
      .description('print the delivery attempts of the webhook endpoints as they are made'),
  )
    .option('--endpoint <id>', 'only of this one (whe_…)')
    .action(act(async (call) => (await import('./tail-deliveries.ts')).tailDeliveries(call)));
  withCommonOptions(program.command('open').helpGroup(group))
    .description('print the address of the console or of the reference, and open it in a browser')
    .addArgument(new Argument('[place]', 'the page').choices(['console', 'docs']))
    .action(act(async (call) => (await import('./open-page.ts')).openPage(call)));
  program
    .command('completion')
    .helpGroup(group)
    .description('print the script that completes commands, options and their choices')
    .addArgument(new Argument('<shell>', 'the shell').choices(completedShells))
    .action(act(async (call) => printCompletion(call)));
  program
    .command(completeCommand, { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => printCandidates(program, words));
  // What is to be completed needs its options as if it were called.
  const words = args[0] === completeCommand ? args.slice(2) : args;
  for (const [resource, verbs] of listResources()) await describeResource(program, { resource, verbs, args: words });
}

async function describeResource(
  program: Command,
  { resource, verbs, args }: { resource: string; verbs: string[]; args: readonly string[] },
): Promise<void> {
  // The operator's commands may have the name too, as events does: the operations become commands below it.
  const present = program.commands.find((one) => one.name() === resource);
  const command = present ?? program.command(resource).helpGroup(group).description(verbs.join(', '));
  if (args[0] !== resource && !(args[0] === 'help' && args[1] === resource)) return;
  command.showHelpAfterError(`(majlis ${resource} has: ${verbs.join(', ')}; --help explains them)`);
  const { describeOperations } = await import('./describe-operations.ts');
  describeOperations(command, resource);
}

function collect(value: string, all: string[] = []): string[] {
  return [...all, value];
}
