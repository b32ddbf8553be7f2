import type { Command } from 'commander';
import { Catalogue } from '../../catalogue/catalogue.js';
import { CatalogueImports } from '../../catalogue/catalogue-imports.js';
import { pricedEntry, withSearchPrice } from '../../catalogue/priced-entry.js';
import { recordedImport } from '../operator-audit.js';
import type { OpenOperator } from '../operator-session.js';
import { printDifferences } from '../output.js';
import { priceText } from './option-values.js';

interface Options {
  readonly promptUsdPerMillion: string;
  readonly completionUsdPerMillion: string;
  readonly cacheReadUsdPerMillion?: string;
  readonly cacheWriteUsdPerMillion?: string;
  readonly usdPerSearch?: string;
  readonly provider?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `models price set`: sets the price of a text model at one provider. Adds the model if the catalogue lacks it. */
export function modelPriceCommand(models: Command, open: OpenOperator): void {
  models
    .command('price')
    .description('prices of text models')
    .command('set <model>')
    .description(
      'set what a text model costs at a provider, on every replica. A model that the catalogue lacks is added, by ' +
        'any name that calls accept, such as claude-opus-5-5',
    )
    .requiredOption('--prompt-usd-per-million <usd>', 'price of a million prompt tokens')
    .requiredOption('--completion-usd-per-million <usd>', 'price of a million completion tokens')
    .option('--cache-read-usd-per-million <usd>', 'price of a million prompt tokens read from a cache')
    .option('--cache-write-usd-per-million <usd>', 'price of a million prompt tokens written to a cache')
    .option('--usd-per-search <usd>', 'price of one web search; default: unchanged')
    .option('--provider <slug>', "the provider that sells it at this price; default: the model's vendor")
    .option('--dry-run', 'print the changes without making them')
    .action(async (model: string, options: Options) => {
      const prices = pricesOf(options);
      const search = options.usdPerSearch && priceText(options.usdPerSearch, '--usd-per-search');
      await open(async (rooms) => {
        const { snapshot } = rooms.get(Catalogue);
        const entry = pricedEntry(snapshot, model, prices, options.provider, new Date());
        const priced = search === undefined ? entry : withSearchPrice(entry, search);
        const outcome = await rooms
          .get(CatalogueImports)
          .add('price', [priced], { dryRun: options.dryRun }, recordedImport(rooms, 'catalogue'));
        printDifferences(outcome, options.json);
        console.error(
          `${entry.id} at ${entry.endpoints![0]!.provider}${options.dryRun ? ': nothing was changed' : ''}`,
        );
      });
    });
}

function pricesOf(options: Options): Parameters<typeof pricedEntry>[2] {
  const { cacheReadUsdPerMillion: read, cacheWriteUsdPerMillion: write } = options;
  return {
    prompt: priceText(options.promptUsdPerMillion, '--prompt-usd-per-million'),
    completion: priceText(options.completionUsdPerMillion, '--completion-usd-per-million'),
    ...(read === undefined ? {} : { cache_read: priceText(read, '--cache-read-usd-per-million') }),
    ...(write === undefined ? {} : { cache_write: priceText(write, '--cache-write-usd-per-million') }),
  };
}
