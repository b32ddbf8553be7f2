import { parseArgs, type ParseArgsConfig } from 'node:util';

/** An option of a bench: its default (empty = not set) and its description. */
export interface BenchOption {
  readonly default: string;
  readonly what: string;
}

/**
 * Parses the command line. `--help` prints the options and the description of the bench; an unknown option ends the
 * program with a message.
 */
export function readOptions<Name extends string>(
  does: string,
  options: Readonly<Record<Name, BenchOption>>,
): Record<Name, string> {
  const names = Object.keys(options) as Name[];
  const lines = names.map(
    (name) =>
      `  --${name.padEnd(12)} ` +
      `${options[name].what}${options[name].default === '' ? '' : ` (default ${options[name].default})`}`,
  );
  const help = [does, '', ...lines, `  --${'help'.padEnd(12)} these lines`].join('\n');
  const given = parsed({
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const, default: options[name].default }])),
    help: { type: 'boolean' as const },
  });
  if (given['help']) {
    console.log(help);
    process.exit(0);
  }
  return given as Record<Name, string>;
}

function parsed(options: NonNullable<ParseArgsConfig['options']>): Readonly<Record<string, unknown>> {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${(error as Error).message}. --help lists the options.`);
    return process.exit(1);
  }
}
