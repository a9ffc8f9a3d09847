import type { Command, Option } from 'commander';
import type { Call } from './act.ts';

/** The hidden command that the scripts of the shells ask for candidates, so that they are always those of this version. */
export const completeCommand = '__complete';

const scripts: Record<string, string> = {
  bash: `_majlis() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(majlis ${completeCommand} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _majlis majlis
`,
  zsh: `#compdef majlis
_majlis() {
  local -a candidates
  candidates=(\${(f)"$(majlis ${completeCommand} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#candidates} )); then compadd -a candidates; else _files; fi
}
compdef _majlis majlis
`,
  fish: `function __majlis_complete
  set -l words (commandline -opc) (commandline -ct)
  majlis ${completeCommand} -- $words[2..-1] 2>/dev/null
end
complete -c majlis -n 'test -n "$(__majlis_complete)"' -f -a '(__majlis_complete)'
`,
};

export const completedShells = Object.keys(scripts);

/** `majlis completion bash`: prints the script that completes commands, options and their choices. */
export async function printCompletion({ args: [shell] }: Call<object>): Promise<void> {
  process.stdout.write(scripts[shell!]!);
}

/** Prints what may stand in the place of the last word. */
export function printCandidates(program: Command, words: readonly string[]): void {
  const typed = words.at(-1) ?? '';
  for (const candidate of findCandidates(program, words)) {
    if (candidate.startsWith(typed)) process.stdout.write(`${candidate}\n`);
  }
}

function findCandidates(program: Command, words: readonly string[]): readonly string[] {
  let command = program;
  let open: Option | undefined;
  for (const word of words.slice(0, -1)) {
    const option = command.options.find(({ long, short }) => word === long || word === short);
    if (option) open = option.required || option.optional ? option : undefined;
    else if (open) open = open.variadic ? open : undefined;
    else command = command.commands.find((one) => one.name() === word) ?? command;
  }
  const typed = words.at(-1) ?? '';
  if (open?.argChoices) return open.argChoices;
  if (typed.startsWith('-')) return [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  if (open?.required) return [];
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  return [...command.commands.map((one) => one.name()).filter((name) => name !== completeCommand), ...choices];
}
