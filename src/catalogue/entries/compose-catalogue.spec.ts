import { shippedData } from '../data/shipped.js';
import { composeCatalogue, type ComposedCatalogue } from './compose-catalogue.js';
import type { CompositionRules } from './compose-model.js';
import type { ModelEntry, ProviderEntry } from './entry.js';

const { rules } = shippedData();
const ENTRY: ModelEntry = {
  id: 'acme/one',
  name: 'One',
  created: 1_790_000_000,
  input: ['text'],
  output: ['text'],
  endpoints: [{ provider: 'reseller', prices: [] } as unknown as NonNullable<ModelEntry['endpoints']>[number]],
};
const compose = (entry: ModelEntry, vendors: readonly ProviderEntry[], of: CompositionRules = rules) =>
  composeCatalogue([{ models: [entry], providers: vendors }], of);
const providerNameIn = ({ models }: ComposedCatalogue): string | undefined => models[0]!.endpoints[0]!.providerName;

describe('a composed model', () => {
  it('is composed once if its entry, the rules and the names of its vendors stay the same', () => {
    const [first, second] = [compose(ENTRY, []), compose(ENTRY, [{ slug: 'other', name: 'Other' }])];
    expect(second.models[0]).toBe(first.models[0]);
  });

  it.each([
    ['a vendor of an endpoint', 'reseller'],
    ['its author', 'acme'],
  ])('is composed again if %s has another name', (_, slug) => {
    const before = compose(ENTRY, []);
    const after = compose(ENTRY, [{ slug, name: 'Renamed' }]);
    expect(after.models[0]).not.toBe(before.models[0]);
    expect([providerNameIn(before), providerNameIn(after)]).toEqual([
      'reseller',
      slug === 'reseller' ? 'Renamed' : 'reseller',
    ]);
    expect(after.models[0]!.description.includes('Renamed')).toBe(slug === 'acme');
    expect(providerNameIn(compose(ENTRY, []))).toBe('reseller');
  });

  it('is composed again if its entry or the rules are different', () => {
    const { models } = compose(ENTRY, []);
    expect(compose({ ...ENTRY, name: 'Two' }, []).models[0]!.name).toBe('Two');
    expect(compose(ENTRY, [], { ...rules, tokenizers: { one: 'Unlike' } }).models[0]!.tokenizer).toBe('Unlike');
    expect(models[0]!.tokenizer).not.toBe('Unlike');
  });
});
