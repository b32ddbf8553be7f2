import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { Catalogue } from '../../catalogue/catalogue.js';
import { CatalogueImports, type ImportOutcome } from '../../catalogue/catalogue-imports.js';
import {
  discoveredEntries,
  discoveryRule,
  goneModels,
  type DiscoveredEntry,
  type Discovery,
  type DiscoveryRule,
} from '../../catalogue/discovered-models.js';
import { Config, variableOfProvider } from '../../config/config.js';
import { GatewayError, invalidRequest, notFound } from '../../kernel/errors/errors.js';
import { readServerModels, type ServerModel } from '../../providers/server-models.js';
import { recordedImport } from '../operator-audit.js';
import type { OpenOperator } from '../operator-session.js';
import { print } from '../output.js';
import { priceText } from './option-values.js';

interface DiscoverOptions {
  readonly baseUrl?: string;
  readonly promptUsdPerMillion?: string;
  readonly completionUsdPerMillion?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const TIMEOUT_MS = 10_000;

/** `catalogue discover`: reads a server's own list of models, and imports the models. */
export function discoverCommand(catalogue: Command, open: OpenOperator): void {
  catalogue
    .command('discover <provider>')
    .description(
      "read the list of models from a provider's server (ollama, lmstudio, vllm, llama.cpp, sglang, or a " +
        'vendor with a credential) and add them to the catalogue as <provider>/<model>, ready to be called',
    )
    .option('--base-url <url>', 'the address of the server; default: <PROVIDER>_BASE_URL, else the usual address')
    .option('--prompt-usd-per-million <usd>', 'price of a million prompt tokens; default 0 for a server of your own')
    .option(
      '--completion-usd-per-million <usd>',
      'price of a million completion tokens; default 0 for a server of your own',
    )
    .option('--dry-run', 'print the changes without making them')
    .action(async (provider: string, options: DiscoverOptions) => {
      const rule = discoveryRule(provider);
      const prices = pricesOf(provider, rule, options);
      await open(async (rooms) => {
        const server = serverOf(rooms, provider, options);
        const models = await modelsOf(server, rule, rooms.get(Config).provider(provider).apiKey);
        const discovery: Discovery = {
          provider: { slug: provider, name: server.name },
          ...(rule.adapters ? { adapters: rule.adapters } : {}),
          prices,
          day: new Date().toISOString().slice(0, 10),
          models,
          listed: rooms.get(Catalogue).all(),
        };
        const found = discoveredEntries(discovery);
        const entries = found.flatMap(({ entry }) => entry ?? []);
        const hasImports = entries.length > 0;
        const dryRun = options.dryRun || !hasImports;
        const record = recordedImport(rooms, 'catalogue');
        const outcome = await rooms.get(CatalogueImports).add('discovery', entries, { dryRun }, record);
        print([...rowsOf(found, outcome), ...goneModels(discovery, found).map(goneRow)], options.json);
        const result = options.dryRun
          ? 'nothing was changed (--dry-run)'
          : hasImports
            ? 'imported'
            : 'nothing to import';
        console.error(summary(server, found, result));
        if (server.isElsewhere)
          console.error(
            `The service itself uses ${server.usual ?? 'no address yet'}: start it with ` +
              `${variableOfProvider(provider, 'BASE_URL')}=${server.baseUrl}`,
          );
      });
    });
}

interface Server {
  readonly name: string;
  readonly baseUrl: string;
  /** The address that the service itself uses; undefined if there is none. */
  readonly usual: string | undefined;
  /** Whether `baseUrl` differs from `usual`. */
  readonly isElsewhere: boolean;
  readonly variable: string;
}

function serverOf(rooms: INestApplicationContext, slug: string, { baseUrl: given }: DiscoverOptions): Server {
  const variable = variableOfProvider(slug, 'BASE_URL');
  const provider = rooms.get(Catalogue).provider(slug);
  const usual = rooms.get(Config).provider(slug).baseUrl ?? provider?.baseUrl;
  const baseUrl = given === undefined ? usual : urlOf(given);
  if (baseUrl === undefined)
    throw invalidRequest(`The address of provider ${slug} is not known: give --base-url, or set ${variable}`);
  return { name: provider?.name ?? slug, baseUrl, usual, isElsewhere: baseUrl !== usual, variable };
}

async function modelsOf(
  { baseUrl, variable }: Server,
  { list }: DiscoveryRule,
  credential: Parameters<typeof readServerModels>[0]['credential'],
): Promise<ServerModel[]> {
  console.error(`Reading the models of ${baseUrl} …`);
  const onProgress = (done: number, total: number): void => console.error(`${done} of ${total} models read`);
  try {
    const models = await readServerModels({
      baseUrl,
      ...(list === undefined ? {} : { list }),
      credential,
      timeoutMs: TIMEOUT_MS,
      onProgress,
    });
    if (models.length > 0) return models;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new GatewayError(
      error.kind,
      `${error.message}. Nothing was changed. Check that the server runs at this address (--base-url, ${variable}).`,
      { cause: error },
    );
  }
  throw notFound(`The server at ${baseUrl} lists no models: load one first. Nothing was changed.`);
}

function pricesOf(
  provider: string,
  { adapters }: DiscoveryRule,
  { promptUsdPerMillion: prompt, completionUsdPerMillion: completion }: DiscoverOptions,
): Discovery['prices'] {
  if (!adapters && (prompt === undefined || completion === undefined))
    throw invalidRequest(
      `Provider ${provider} charges for its models: give --prompt-usd-per-million and --completion-usd-per-million, ` +
        'by which their calls are billed. Nothing was changed.',
    );
  return {
    prompt: priceText(prompt ?? '0', '--prompt-usd-per-million'),
    completion: priceText(completion ?? '0', '--completion-usd-per-million'),
  };
}

function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.search !== '')
    throw invalidRequest('--base-url must be a URL such as http://127.0.0.1:8000/v1. Nothing was changed.');
  return text.replace(/\/+$/, '');
}

function rowsOf(found: readonly DiscoveredEntry[], { differences }: ImportOutcome): object[] {
  const changed = new Set(differences.map(({ subject }) => subject));
  return found.map(({ id, name, isListed, entry }) => ({
    change: isListed ? (changed.has(id) ? 'changed' : '-') : 'new',
    model: id,
    name,
    capability: entry?.endpoints?.[0]?.capability,
    context: entry?.context,
  }));
}

const goneRow = (id: string): object => ({
  change: 'not listed by the server',
  model: id,
  name: undefined,
  capability: undefined,
  context: undefined,
});

function summary({ name, baseUrl }: Server, found: readonly DiscoveredEntry[], result: string): string {
  const fresh = found.filter(({ isListed }) => !isListed).length;
  return `${name} at ${baseUrl}: ${found.length} models, ${fresh} of them new; ${result}.`;
}
