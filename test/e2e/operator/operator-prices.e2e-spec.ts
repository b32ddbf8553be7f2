import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.js';
import { operate, type OperatorResult } from '../../support/services/operator-line.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { startTextStage, type TextStage } from '../../support/calls/text-stage.js';
import { startVendorServer } from '../../support/vendors/vendor-server.js';

/** Vendors in the format of models.dev's api.json, with a model that no version of the catalogue has. */
const UPDATE = JSON.stringify({
  openai: {
    name: 'OpenAI',
    models: {
      'gpt-7-new': {
        name: 'GPT-7 New',
        release_date: '2026-11-01',
        modalities: { input: ['text'], output: ['text'] },
        limit: { context: 5000, output: 100 },
        tool_call: true,
        cost: { input: 5, output: 6 },
      },
      'other/gpt-7': { name: 'Of another author', cost: { input: 5, output: 6 } },
      'gpt-4o': { name: 'GPT-4o', cost: { input: 7, output: 8 } },
    },
  },
});

let stage: TextStage;
let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
  stage = await startTextStage();
});
afterAll(async () => {
  await stage.stop();
  await folder.remove();
});

const operator = (...words: string[]): Promise<OperatorResult> => {
  const { databaseUrl } = stage.service;
  return operate(databaseUrl, { DATABASE_URL: databaseUrl, MASTER_KEY: 'a1'.repeat(32) }, ...words);
};
const pricesOf = async (name: string): Promise<unknown> => {
  const { prompt, completion } = (await stage.service.standard.get(`/models/${name}`)).json.pricing ?? {};
  return [prompt, completion];
};
const PRICES = ['--prompt-usd-per-million', '1.5', '--completion-usd-per-million', '2.5'];

describe('operator models price set', () => {
  it('adds a model of a known family, so that calls of the model no longer have an assumed price', async () => {
    expect(await pricesOf('gpt-6.1-sol')).not.toEqual(['0.0000015', '0.0000025']);
    const { error, notes } = await operator('models', 'price', 'set', 'gpt-6.1-sol', ...PRICES);
    expect(error).toBeUndefined();
    expect(notes.at(-1)).toBe('openai/gpt-6.1-sol at openai');
    await eventually(async () => expect(await pricesOf('gpt-6.1-sol')).toEqual(['0.0000015', '0.0000025']));
    const answer = await stage.chat({ model: 'gpt-6.1-sol', max_tokens: 10 });
    const { prompt_tokens, completion_tokens, cost } = answer.json.usage;
    expect(cost).toBeCloseTo((prompt_tokens * 1.5 + completion_tokens * 2.5) / 1e6, 12);
    const { data } = (await stage.service.standard.get(`/generation?id=${answer.json.id}`)).json;
    expect(data).not.toHaveProperty('price_assumed');
  });

  it('sets the price of a web search', async () => {
    const { error } = await operator('models', 'price', 'set', 'xai/grok-4.3', ...PRICES, '--usd-per-search', '0.005');
    expect(error).toBeUndefined();
    await eventually(async () => {
      const { data } = (await stage.service.standard.get('/models/xai/grok-4.3/endpoints')).json;
      const own = data.endpoints.find(({ provider_name: name }: { provider_name: string }) => name === 'xAI');
      expect(own.pricing.web_search).toBe('0.005');
    });
  });

  it('accepts the published name of a model, and changes the price at the provider of the model', async () => {
    const { error, notes } = await operator('models', 'price', 'set', 'x-ai/grok-4-3', ...PRICES);
    expect(error).toBeUndefined();
    expect(notes.at(-1)).toBe('xai/grok-4.3 at xai');
    await eventually(async () => expect(await pricesOf('xai/grok-4.3')).toEqual(['0.0000015', '0.0000025']));
  });

  it.each([
    [['unheard-of', ...PRICES], /The vendor of unheard-of is not known: .*--provider/],
    [['gpt-8', ...PRICES, '--provider', 'nobody'], /No provider has the slug nobody/],
    [['gpt-8', '--prompt-usd-per-million', '-1', '--completion-usd-per-million', '1'], /--prompt-usd-per-million must/],
    [['builtin/poster', ...PRICES], /builtin\/poster is not a text model/],
  ])('refuses %j', async (words, message) => {
    const { error } = await operator('models', 'price', 'set', ...words);
    expect(error).toMatchObject({ kind: 'invalid_request', message: expect.stringMatching(message) });
  });
});

describe('operator catalogue update', () => {
  const holds = (): Promise<void> =>
    eventually(async () => {
      expect(await pricesOf('openai/gpt-7-new')).toEqual(['0.000005', '0.000006']);
      expect((await stage.service.standard.get('/models/other/gpt-7')).status).toBe(404);
    });

  it('reads a file, and adds models that the catalogue lacks and that are sold by their author', async () => {
    const file = join(folder.path, 'api.json');
    await writeFile(file, UPDATE);
    expect((await operator('catalogue', 'update', file)).error).toBeUndefined();
    await holds();
  });

  it('reads a URL', async () => {
    const server = await startVendorServer(async (request, response) => {
      response.writeHead(request.url === '/api.json' ? 200 : 404).end(UPDATE);
    });
    try {
      expect((await operator('catalogue', 'update', `${server.origin}/api.json`)).error).toBeUndefined();
      await holds();
      const { error } = await operator('catalogue', 'update', `${server.origin}/none`);
      expect(error).toMatchObject({ message: expect.stringMatching(/\/none cannot be read: .*404/) });
    } finally {
      await server.close();
    }
  });
});
