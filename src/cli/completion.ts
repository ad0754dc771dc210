// `berth completion bash|zsh`: generates a shell completion script from the registered commands.
import type { Command } from 'commander';
import { Argument } from 'commander';
import type { CommandContext } from './command-context';
import { runs } from './command-context';

export function addCompletion(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .description('print a completion script: source <(berth completion bash)')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh']))
    .action(runs(context, (shell: string) => context.stdout(completionOf(program, shell === 'zsh'))));
}

/** zsh runs the bash script through `bashcompinit`. Names consist of letters and hyphens only. */
export function completionOf(program: Command, isZsh: boolean): string {
  const cases = wordsByPath(program).map(([path, words]) => `    "${path}") words="${words.join(' ')}" ;;`);
  return [
    ...(isZsh ? ['autoload -U +X compinit && compinit', 'autoload -U +X bashcompinit && bashcompinit'] : []),
    '_berth() {',
    '  local path="" word words=""',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case "$word" in -*) ;; *) path="$path $word" ;; esac',
    '  done',
    '  case "$path" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '  if [ ${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")); fi',
    '}',
    'complete -F _berth berth',
    '',
  ].join('\n');
}

/** The completions of every command, keyed by its path: subcommands, choices of arguments, options. */
function wordsByPath(command: Command, path = ''): readonly (readonly [string, readonly string[]])[] {
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const own = [...command.commands.map((each) => each.name()), ...choices, ...options, '--help'];
  return [[path, own], ...command.commands.flatMap((each) => wordsByPath(each, `${path} ${each.name()}`))];
}
