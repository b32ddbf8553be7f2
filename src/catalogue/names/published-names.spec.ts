import { Catalogue } from '../catalogue.js';
import { authorOf, providerOf, publishedNames } from './published-names.js';
import { undated } from './upstream-names.js';

const catalogue = new Catalogue();

describe('the table of published names', () => {
  const { authors, providers, models, latest, dated } = publishedNames();

  it.each(Object.values(authors))('names an author of the catalogue: %s', (author) => {
    expect(catalogue.all().some(({ id }) => id.startsWith(`${author}/`))).toBe(true);
  });

  it.each([...Object.values(providers), ...Object.keys(dated)])('names a provider of the catalogue: %s', (slug) => {
    expect(catalogue.provider(slug)).toBeDefined();
  });

  it.each(Object.values(models).flat())('names a model of the catalogue: %s', (id) => {
    expect(catalogue.find(id) ?? catalogue.find(undated(id))).toBeDefined();
  });

  it.each(Object.values(latest))('names a family of the catalogue: $author $family', ({ author, family }) => {
    expect(catalogue.all().some((model) => model.id.startsWith(`${author}/`) && model.family === family)).toBe(true);
  });

  it('does not change names that it does not list', () => {
    expect([authorOf('x-ai'), authorOf('openai'), authorOf('constructor')]).toEqual(['xai', 'openai', 'constructor']);
    expect([providerOf('google-ai-studio'), providerOf('toString')]).toEqual(['google', 'toString']);
  });
});
