import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { BenchmarkImports } from '../../catalogue/benchmark-imports.js';
import { CatalogueImports, type ImportOutcome } from '../../catalogue/catalogue-imports.js';
import type { ImportRecord } from '../../catalogue/import-record.js';
import type { InTransaction } from '../../database/session-of.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { readDocument } from '../../providers/remote-document.js';
import { recorded } from '../operator-audit.js';
import type { OpenOperator } from '../operator-session.js';
import { print } from '../output.js';
import { discoverCommand } from './discover-command.js';
import { printDifferences } from './print-differences.js';

interface CatalogueOptions {
  readonly dryRun?: boolean;
  readonly replace?: boolean;
  readonly json?: boolean;
}

interface BenchmarkOptions {
  readonly sourceUrl: string;
  readonly citation: string;
  readonly asOf: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const DEFAULT_SOURCE = 'https://models.dev/api.json';
const TIMEOUT_MS = 30_000;

/** catalogue and benchmarks: import from files, and from servers. */
export function catalogueCommands(program: Command, open: OpenOperator): void {
  const catalogue = program.command('catalogue').description('models, vendors and prices');
  discoverCommand(catalogue, open, (rooms) => recordedImport(rooms, 'catalogue'));
  catalogue
    .command('import <file>')
    .description(
      'lay a file over the catalogue that ships with the service: the models.dev format ' +
        '(https://models.dev/api.json), or what GET /models of the published API answers',
    )
    .option('--dry-run', 'print what would change, and change nothing')
    .option('--replace', 'take earlier imports back first')
    .option('--json', 'one JSON object a line')
    .action(async (file: string, options: CatalogueOptions) => importText(open, await contentOf(file), options));
  catalogue
    .command('update [source]')
    .description(
      'bring the catalogue up to date from a file or an address, in a format of `catalogue import`; ' +
        `default: ${DEFAULT_SOURCE}`,
    )
    .option('--dry-run', 'print what would change, and change nothing')
    .option('--json', 'one JSON object a line')
    .action(async (source: string = DEFAULT_SOURCE, options: CatalogueOptions) => {
      const isAddress = /^https?:\/\//.test(source);
      await importText(open, isAddress ? await readDocument(source, TIMEOUT_MS) : await contentOf(source), options);
    });
  program
    .command('benchmarks')
    .description('published scores of models')
    .command('import <file>')
    .description(
      'put the scores of one source in the place of those that are known: JSON as GET /benchmarks answers it, or CSV',
    )
    .requiredOption('--source-url <url>', 'where the source publishes them')
    .requiredOption('--citation <text>', 'how the source wants to be named')
    .requiredOption('--as-of <date>', 'when the source published them')
    .option('--dry-run', 'check the file, and change nothing')
    .option('--json', 'one JSON object a line')
    .action(async (file: string, { sourceUrl, citation, asOf, dryRun, json }: BenchmarkOptions) => {
      const text = await contentOf(file);
      await open(async (rooms) => {
        const outcome = await rooms
          .get(BenchmarkImports, { strict: false })
          .import(
            text,
            { sourceUrl, citation, asOf },
            { dryRun: dryRun ?? false },
            recordedImport(rooms, 'benchmarks'),
          );
        print([{ source: outcome.source, scores: outcome.scores, imported: !dryRun }], json ?? false);
      });
    });
}

async function importText(
  open: OpenOperator,
  text: string,
  { dryRun, replace, json }: CatalogueOptions,
): Promise<void> {
  await open(async (rooms) => {
    const outcome = await rooms
      .get(CatalogueImports, { strict: false })
      .import(text, { dryRun: dryRun ?? false, replace: replace ?? false }, recordedImport(rooms, 'catalogue'));
    printDifferences(outcome, json ?? false);
    console.error(summary(outcome, dryRun ?? false));
  });
}

/** The audit row identifies the file by its hash. */
export const recordedImport = (
  rooms: INestApplicationContext,
  kind: ImportRecord['kind'],
): InTransaction<ImportRecord> => recorded(rooms, 'import', kind, ({ digest }) => ({ id: digest }));

async function contentOf(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw invalidRequest(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function summary({ format, models, providers, differences, unmatched }: ImportOutcome, dryRun: boolean): string {
  const left = unmatched.length === 0 ? '' : ` ${unmatched.length} offers fit no known model and were left aside.`;
  return (
    `${format}: ${models} models and ${providers} vendors read, ${differences.length} ` +
    `differences${dryRun ? '; nothing was changed (--dry-run).' : '; imported.'}${left}`
  );
}
