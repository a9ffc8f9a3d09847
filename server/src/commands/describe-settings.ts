import { type Command, Option } from 'commander';
import { readConfig } from '../process/config.ts';

/** The settings that are also options, because newcomers change them first. Commander names an option's value in camel case. */
const optionSettings = { host: 'HOST', port: 'PORT', dataDir: 'DATA_DIR', simulatorPort: 'SIMULATOR_PORT' } as const;

export type SettingOptions = Partial<Record<keyof typeof optionSettings, string>>;

/** Adds the options of `dev` or `serve`, and the names of all settings to its help. */
export function describeSettings(command: Command): Command {
  command
    .addOption(new Option('--host <address>', 'the address to listen on').env('HOST'))
    .addOption(new Option('--port <port>', 'the port to listen on').env('PORT'))
    .addOption(new Option('--data-dir <folder>', 'where the data are kept').env('DATA_DIR'));
  if (command.name() === 'dev') {
    command
      .addOption(new Option('--empty', 'make the demo workspace without conversations, at the first start'))
      .addOption(new Option('--quiet-customers', 'let the simulated customers write only from their phones'));
    command.addOption(new Option('--simulator-port <port>', "the platform simulator's port").env('SIMULATOR_PORT'));
  }
  return command.addHelpText('after', () => {
    const lines = wrap(listSettings().join(', '), 78).map((line) => `  ${line}`);
    return `\nSettings, as environment variables (docs/operating.md explains them):\n${lines.join('\n')}`;
  });
}

/** The environment, with the options in the place of their settings. */
export function withOptions(env: NodeJS.ProcessEnv, options: SettingOptions): NodeJS.ProcessEnv {
  const names = Object.keys(options) as (keyof SettingOptions)[];
  return { ...env, ...Object.fromEntries(names.map((name) => [optionSettings[name], options[name]])) };
}

/** The names that reading the settings asks for. */
function listSettings(): string[] {
  const names = new Set<string>();
  const recorder = new Proxy<Record<string, string>>({}, { get: (_, name) => void names.add(String(name)) });
  readConfig(recorder, 'dev');
  return [...names].sort();
}

function wrap(text: string, width: number): string[] {
  return text.match(new RegExp(`.{1,${width}}(?: |$)`, 'g')) ?? [];
}
