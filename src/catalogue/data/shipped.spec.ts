import { readdirSync, readFileSync } from 'node:fs';
import { Catalogue } from '../catalogue.js';
import { formatModels, formatProviders } from '../entries/data-form.js';
import type { ModelEntry, ProviderEntry } from '../entries/entry.js';

const FOLDER = new URL('./', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');
const files = ['models', 'own'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, FOLDER)).map((name) => `${folder}/${name}`),
);

describe('The shipped catalogue', () => {
  const catalogue = new Catalogue();

  it.each(files)('%s is written in the one form made for reading in a diff, sorted', (name) => {
    expect(read(name)).toBe(formatModels(JSON.parse(read(name)) as ModelEntry[]));
  });

  it.each(['providers.json', 'own-providers.json'])('%s is written in the one form, sorted', (name) => {
    expect(read(name)).toBe(formatProviders(JSON.parse(read(name)) as ProviderEntry[]));
  });

  it.each(readdirSync(new URL('models/', FOLDER)))(
    'models/%s holds the models of the author it is named after',
    (name) => {
      const ids = (JSON.parse(read(`models/${name}`)) as ModelEntry[]).map((model) => model.id);
      expect(ids.filter((id) => !id.startsWith(`${name.replace('.json', '')}/`))).toEqual([]);
    },
  );

  it('holds the 231 models of the facts and those of the house, and their 147 vendors', () => {
    const facts = readdirSync(new URL('models/', FOLDER)).flatMap(
      (name) => JSON.parse(read(`models/${name}`)) as ModelEntry[],
    );
    expect(facts).toHaveLength(231);
    expect(JSON.parse(read('providers.json'))).toHaveLength(147);
    expect(catalogue.find('builtin/flite')?.endpoints[0]).toMatchObject({
      adapter: 'builtin-flite',
      capability: 'speech',
      needsCredential: false,
      pricing: [{ billable: 'input_text', unit: 'character', costUsd: '0.000001' }],
    });
    expect(catalogue.find('builtin/poster')?.pricing).toEqual({
      prompt: '0',
      completion: '0',
      image: '0.0001',
      request: '0',
    });
  });

  it('tells of categories, distilling, retention and regions only where a page or the code of this service says so', () => {
    const byHand = readdirSync(new URL('own/', FOLDER)).flatMap(
      (name) => JSON.parse(read(`own/${name}`)) as ModelEntry[],
    );
    const told = byHand.filter((model) => model.distillable !== undefined || model.categories !== undefined);
    expect(told.map((model) => [model.id, model.source, model.read].every(Boolean))).toEqual(told.map(() => true));
    const retained = byHand.flatMap((model) =>
      (model.endpoints ?? []).filter((endpoint) => endpoint.zdr !== undefined || endpoint.regions !== undefined),
    );
    expect(retained.filter((endpoint) => endpoint.provider !== 'builtin' && !endpoint.source)).toEqual([]);
    expect(catalogue.find('deepseek/deepseek-r1')?.distillable).toBe(true);
  });

  it('says what a token costs exactly, from the price per million', () => {
    expect(catalogue.find('openai/gpt-5.4')?.pricing).toMatchObject({ prompt: '0.0000025', completion: '0.000015' });
  });

  it('says "-1" of a model whose price nobody knows', () => {
    const unknown = catalogue
      .all()
      .filter((model) => model.endpoints.every((endpoint) => endpoint.pricing.length === 0));
    expect(unknown.length).toBeGreaterThan(0);
    expect(unknown.map((model) => model.pricing.prompt)).toEqual(unknown.map(() => '-1'));
  });

  it('gives every endpoint that has an adapter a price', () => {
    const adapted = catalogue
      .all()
      .flatMap((model) => model.endpoints)
      .filter((endpoint) => endpoint.adapter !== null);
    expect(adapted.filter((endpoint) => endpoint.pricing.length === 0)).toEqual([]);
  });

  it('names the page and the day for every price that was added by hand for a vendor', () => {
    const byHand = readdirSync(new URL('own/', FOLDER)).flatMap(
      (name) => JSON.parse(read(`own/${name}`)) as ModelEntry[],
    );
    const unsourced = byHand.flatMap((model) =>
      (model.endpoints ?? [])
        .filter(
          (endpoint) => endpoint.provider !== 'builtin' && endpoint.pricing && !(endpoint.source && endpoint.read),
        )
        .map((endpoint) => `${model.id} at ${endpoint.provider}`),
    );
    expect(unsourced).toEqual([]);
  });
});
