import { Argument, Command } from 'commander';

/**
 * Completion for bash and zsh, which commander lacks: a script that contains all names, so that a press of Tab starts
 * no Node. Elsewhere the shell completes file names.
 */

const FUNCTION = '_loyalty_names';

const ADAPTORS = {
  bash: `
_loyalty() {
  local first=1
  [ "\${COMP_WORDS[0]}" = npx ] && first=2
  if [ "$COMP_CWORD" -lt "$first" ]; then
    COMPREPLY=($(compgen -W loyalty -- "\${COMP_WORDS[COMP_CWORD]}"))
  elif [ "$first" = 1 ] || [ "\${COMP_WORDS[1]}" = loyalty ]; then
    local current="\${COMP_WORDS[COMP_CWORD]}"
    COMPREPLY=($(compgen -W "$(${FUNCTION} "$current" "\${COMP_WORDS[@]:first:COMP_CWORD-first}")" -- "$current"))
  fi
}
complete -o default -F _loyalty loyalty npx
`,
  zsh: `
_loyalty() {
  local first=2
  [[ $words[1] == npx ]] && first=3
  if (( CURRENT < first )); then
    compadd -- loyalty
  elif [[ $first == 2 || $words[2] == loyalty ]]; then
    local names="$(${FUNCTION} "$words[CURRENT]" "\${(@)words[first,CURRENT-1]}")"
    if [[ -n $names ]]; then compadd -- \${=names}; else _files; fi
  else
    _files
  fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _loyalty loyalty npx
`,
} as const;

type Shell = keyof typeof ADAPTORS;
const SHELLS = Object.keys(ADAPTORS) as Shell[];

/** `completion bash`: prints the script for a shell's start-up file. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('print a script that completes names in bash or zsh')
    .addArgument(new Argument('<shell>', 'whose').choices(SHELLS))
    .addHelpText('after', '\nTo use it now, and permanently in ~/.bashrc:  source <(npx loyalty completion bash)')
    .action((shell: Shell, _options: unknown, command: Command) => {
      process.stdout.write(`${renderNames(command.parent!)}${ADAPTORS[shell]}`);
    });
}

interface Place {
  /** The path of commands: `/members/import`. */
  readonly path: string;
  readonly command: Command;
}

/**
 * Renders a shell function that takes the word under the cursor and the words before it, and prints the possible words.
 * Its simple syntax is the same in both shells.
 */
function renderNames(program: Command): string {
  const places = listPlaces({ path: '', command: program });
  const paths = places.map(({ path }) => path).filter((path) => path !== '');
  return `${FUNCTION}() {
  local current="$1" previous= place= word
  shift
  for word in "$@"; do
    case "$place/$word" in ${paths.join(' | ')}) place="$place/$word" ;; esac
    previous="$word"
  done
  case "$place $previous" in
${places.flatMap(valuesAfterOptions).join('\n')}
  esac
  case "$current" in
  -*) case "$place" in
${linesOf(places, flagsOf)}
    esac ;;
  *) case "$place" in
${linesOf(places, wordsOf)}
    esac ;;
  esac
}
`;
}

function listPlaces(place: Place): Place[] {
  const below = place.command.commands.flatMap((command) =>
    listPlaces({ path: `${place.path}/${command.name()}`, command }),
  );
  return [place, ...below];
}

/** After an option with a value only its values are offered; a free value gets no offer. */
function valuesAfterOptions({ path, command }: Place): string[] {
  const withValue = command.options.filter(({ required }) => required);
  const free = withValue.filter(({ argChoices }) => !argChoices).map(({ long }) => `'${path} ${long}'`);
  const chosen = withValue.flatMap(({ long, argChoices }) =>
    argChoices ? [`    '${path} ${long}') echo '${argChoices.join(' ')}'; return ;;`] : [],
  );
  return free.length === 0 ? chosen : [...chosen, `    ${free.join(' | ')}) return ;;`];
}

function linesOf(places: readonly Place[], namesOf: (command: Command) => readonly string[]): string {
  return places
    .map(({ path, command }) => ({ path, names: namesOf(command) }))
    .filter(({ names }) => names.length > 0)
    .map(({ path, names }) => `    '${path}') echo '${names.join(' ')}' ;;`)
    .join('\n');
}

function flagsOf(command: Command): string[] {
  return [...command.options.map(({ long }) => long!), '--help'];
}

/** Returns the subcommands and the values of an argument. */
function wordsOf(command: Command): string[] {
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [...command.commands.map((below) => below.name()), ...choices];
}
