// `berth completion bash|zsh|fish`: generates a shell completion script from the registered commands. Names of hosts,
// flavors and the like are asked of the service when the user completes them.
import type { Command } from 'commander';
import { Argument } from 'commander';
import type { CommandContext } from './command-context';
import { runs } from './command-context';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Options and arguments with these names have a command that lists their values: `hosts`. */
const LISTED = ['host', 'flavor', 'project', 'zone', 'group', 'image', 'instance'];

/** Without a service, or without its answer in 1 s, there are no names. */
const ASK = '-o name --timeout 1 2>/dev/null';

export function addCompletion(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .description('print a completion script: source <(berth completion bash)')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action(runs(context, (shell: Shell) => context.stdout(completionOf(program, shell))));
}

/** Names of commands and options consist of letters and hyphens only. */
export function completionOf(program: Command, shell: Shell): string {
  const places = placesOf(program);
  const paths = places.map(({ path }) => path).filter((path) => path !== '');
  const lines = shell === 'fish' ? fishScript(places, paths) : bashScript(places, paths);
  // zsh runs the bash script through `bashcompinit`.
  const head = ['autoload -U +X compinit && compinit', 'autoload -U +X bashcompinit && bashcompinit'];
  return [...(shell === 'zsh' ? head : []), ...lines, ''].join('\n');
}

interface Place {
  /** The words of the command, each after a blank. */
  readonly path: string;
  /** Subcommands, choices of arguments, options. */
  readonly words: readonly string[];
  /** The commands that list values of its arguments. */
  readonly lists: readonly string[];
}

function placesOf(command: Command, path = ''): readonly Place[] {
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const words = [...command.commands.map((each) => each.name()), ...choices, ...options, '--help'];
  const lists = command.registeredArguments.flatMap((each) => (LISTED.includes(each.name()) ? `${each.name()}s` : []));
  return [{ path, words, lists }, ...command.commands.flatMap((each) => placesOf(each, `${path} ${each.name()}`))];
}

/** `path` and `words` have another meaning in zsh. */
const bashScript = (places: readonly Place[], paths: readonly string[]): readonly string[] => [
  '# compgen expands words as the shell does, so names with other characters than these are left out.',
  '_berth_names() {',
  '  case "$cur" in -*) return ;; esac',
  `  offered="$offered $(berth "$@" ${ASK} | grep -E '^[A-Za-z0-9_.:@/+-]+$' | tr '\\n' ' ')"`,
  '}',
  '_berth() {',
  '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[$((COMP_CWORD - 1))]}" typed="" word="" offered=""',
  '  for word in "${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do',
  `    case "$typed $word" in ${paths.map((path) => `"${path}"`).join('|')}) typed="$typed $word" ;; esac`,
  '  done',
  '  case "$prev" in',
  ...LISTED.map((name) => `    --${name}) _berth_names ${name}s ;;`),
  '    *) case "$typed" in',
  ...places.map(
    ({ path, words, lists }) =>
      `      "${path}") offered="${words.join(' ')}"${lists.map((list) => `; _berth_names ${list}`).join('')} ;;`,
  ),
  '    esac ;;',
  '  esac',
  '  COMPREPLY=($(compgen -W "$offered" -- "$cur"))',
  '  if [ ${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$cur")); fi',
  '}',
  'complete -F _berth berth',
];

const fishScript = (places: readonly Place[], paths: readonly string[]): readonly string[] => [
  'function __berth_names',
  `  string match -q -- '-*' (commandline -ct); or berth $argv ${ASK}`,
  'end',
  'function __berth_complete',
  '  set -l tokens (commandline -opc)',
  "  set -l path ''",
  '  for word in $tokens[2..-1]',
  `    contains -- "$path $word" ${paths.map((path) => `'${path}'`).join(' ')}; and set path "$path $word"`,
  '  end',
  '  switch $tokens[-1]',
  ...LISTED.map((name) => `    case --${name}\n      __berth_names ${name}s`),
  "    case '*'",
  '      switch $path',
  ...places.flatMap(({ path, words, lists }) => [
    `        case '${path}'\n          printf '%s\\n' ${words.join(' ')}`,
    ...lists.map((list) => `          __berth_names ${list}`),
  ]),
  '      end',
  '  end',
  'end',
  "complete -c berth -f -a '(__berth_complete)'",
  "complete -c berth -n '__fish_seen_subcommand_from simulate import export config' -F",
];
