import { type Command, Option } from 'commander';
import { reportFailure } from './report-failure.ts';

/** One call of a command. */
export interface Call<Options> {
  args: string[];
  options: Options;
}

export interface CommonOptions {
  profile?: string;
  json?: boolean | undefined;
  quiet?: boolean | undefined;
}

/** The action of an integrator's command. A failure becomes a sentence and an exit code. */
export function act<Options extends object>(work: (call: Call<Options>) => Promise<void>) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const options = command.opts() as Options;
    try {
      await work({ args: command.processedArgs.flat() as string[], options });
    } catch (error) {
      reportFailure(error, (options as CommonOptions).json === true);
    }
  };
}

/** The options of every command that calls the service. */
export function withCommonOptions(command: Command): Command {
  return command
    .addOption(new Option('--profile <name>', 'the profile of majlis login to use').helpGroup(common))
    .addOption(new Option('--json', 'print JSON, for programs').helpGroup(common))
    .addOption(new Option('-q, --quiet', 'print ids alone').helpGroup(common));
}

export const common = 'Common options:';
