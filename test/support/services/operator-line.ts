import type { Command } from 'commander';
import { NestFactory } from '@nestjs/core';
import { Config } from '../../../src/config/config.js';
import { DatabaseUrls } from '../../../src/database/database-urls.js';
import { operatorProgram } from '../../../src/operator/operator-program.js';
import { databaseOpener } from '../../../src/operator/operator-session.js';
import { OperatorModule } from '../../../src/operator/operator.module.js';

export interface OperatorResult {
  /** The lines of standard output. */
  readonly lines: readonly string[];
  /** The lines of standard error. */
  readonly notes: readonly string[];
  /** The error of the command. */
  readonly error: unknown;
}

/**
 * Runs a command of the operator in this process, with the same effect as `npm run operator -- <words>` in this
 * environment.
 */
export async function operate(
  databaseUrl: string,
  env: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<OperatorResult> {
  const lines: string[] = [];
  const notes: string[] = [];
  const { log, error: complain } = console;
  console.log = (line: string) => void lines.push(...line.split('\n'));
  console.error = (line: string) => void notes.push(...line.split('\n'));
  const program = operatorProgram(
    async (work) => {
      const rooms = await NestFactory.createApplicationContext(
        OperatorModule.register(Config.read(env), new DatabaseUrls(databaseUrl)),
        { logger: false, abortOnError: false },
      );
      try {
        return await work(rooms);
      } finally {
        await rooms.close();
      }
    },
    databaseOpener(() => Config.read(env)),
  );
  try {
    throwInsteadOfExiting(program);
    await program.parseAsync(words, { from: 'user' });
    return { lines, notes, error: undefined };
  } catch (error) {
    return { lines, notes, error };
  } finally {
    console.log = log;
    console.error = complain;
  }
}

/** Makes a command and its existing subcommands, which do not inherit the setting, throw instead of exiting. */
function throwInsteadOfExiting(command: Command): void {
  command.exitOverride();
  command.commands.forEach(throwInsteadOfExiting);
}
