import { type Command, Option } from 'commander';

/** The options of `majlis conform`. The command loads its code when it runs. */
export function describeConform(command: Command): void {
  command
    .description('check clause by clause whether a deployment keeps the contract')
    .requiredOption('--url <url>', 'where the deployment is')
    .addOption(new Option('--key <key>', 'an API key').env('MAJLIS_KEY').makeOptionMandatory())
    .option('--to <number>', 'a number that may be written to')
    .addOption(new Option('--second-key <key>', 'an API key of another workspace').env('MAJLIS_SECOND_KEY'))
    .option('--webhook-port <port>', 'listen for events on this port')
    .option('--webhook-url <url>', 'where the deployment reaches that port (default: this machine)')
    .option('--reply <seconds>', 'how long somebody has to write from --to')
    .option('--limits', 'also use up the requests of a minute, and upload files above each size')
    .option('--templates', 'also create a template at the channel platform, and delete it')
    .option('--only <areas...>', 'only these areas')
    .option('--json', 'print the report as JSON')
    .action(async (options) => (await import('./conform.ts')).conform(options));
}
