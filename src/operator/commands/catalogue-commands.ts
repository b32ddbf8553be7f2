import type { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { BenchmarkImports } from '../../catalogue/benchmark-imports.js';
import { CatalogueImports, type ImportOutcome } from '../../catalogue/catalogue-imports.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { readDocument } from '../../providers/remote-document.js';
import { recordedImport } from '../operator-audit.js';
import type { OpenOperator } from '../operator-session.js';
import { print, printDifferences } from '../output.js';
import { discoverCommand } from './discover-command.js';

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

/** The commands `catalogue` and `benchmarks`, which import models, prices and scores. */
export function catalogueCommands(program: Command, open: OpenOperator): void {
  const catalogue = program.command('catalogue').description('models, vendors and prices');
  discoverCommand(catalogue, open);
  catalogue
    .command('import <file>')
    .description(
      'import a file into the catalogue, in addition to the entries that ship with the service: in the ' +
        'models.dev format (https://models.dev/api.json), or a response of GET /models of the published API',
    )
    .option('--dry-run', 'print the changes without making them')
    .option('--replace', 'discard earlier imports first')
    .action(async (file: string, options: CatalogueOptions) => importText(open, await contentOf(file), options));
  catalogue
    .command('update [source]')
    .description(
      `update the catalogue from a file or a URL, in a format of \`catalogue import\`; default: ${DEFAULT_SOURCE}`,
    )
    .option('--dry-run', 'print the changes without making them')
    .action(async (source: string = DEFAULT_SOURCE, options: CatalogueOptions) => {
      const isAddress = /^https?:\/\//.test(source);
      await importText(open, isAddress ? await readDocument(source, TIMEOUT_MS) : await contentOf(source), options);
    });
  program
    .command('benchmarks')
    .description('published scores of models')
    .command('import <file>')
    .description(
      'replace the stored scores of one source by the scores of a file: JSON in the format of GET /benchmarks, or CSV',
    )
    .requiredOption('--source-url <url>', 'the URL at which the source publishes them')
    .requiredOption('--citation <text>', 'the citation that the source requires')
    .requiredOption('--as-of <date>', 'the time at which the source published them')
    .option('--dry-run', 'check the file without importing it')
    .action(async (file: string, { sourceUrl, citation, asOf, dryRun, json }: BenchmarkOptions) => {
      const text = await contentOf(file);
      await open(async (rooms) => {
        const outcome = await rooms
          .get(BenchmarkImports)
          .import(text, { sourceUrl, citation, asOf }, { dryRun }, recordedImport(rooms, 'benchmarks'));
        print([{ source: outcome.source, scores: outcome.scores, imported: !dryRun }], json);
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
      .get(CatalogueImports)
      .import(text, { dryRun, replace }, recordedImport(rooms, 'catalogue'));
    printDifferences(outcome, json);
    console.error(summary(outcome, dryRun));
  });
}

async function contentOf(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw invalidRequest(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function summary(
  { format, models, providers, differences, unmatched }: ImportOutcome,
  dryRun: boolean | undefined,
): string {
  const left = unmatched.length === 0 ? '' : ` ${unmatched.length} offers match no known model and were skipped.`;
  return (
    `${format}: ${models} models and ${providers} vendors read, ${differences.length} ` +
    `differences${dryRun ? '; nothing was changed (--dry-run).' : '; imported.'}${left}`
  );
}
