import fc from 'fast-check';
import { CATEGORIES, SORTS } from '../../../../src/catalogue/model-query.js';

const BOUNDS = [
  '',
  'null',
  '0',
  '0.1',
  '.1',
  '0.15',
  '0.5',
  '0.500000000000001',
  '3',
  '3.0',
  '1e1',
  '0.1000000000000000000001',
];
const pick = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const some = <T>(...values: readonly T[]): fc.Arbitrary<T[]> => fc.subarray([...values]);
const csv = (...values: readonly string[]): fc.Arbitrary<string> => some(...values).map((items) => items.join(','));
const index = pick('', 'null', '0', '10', '10.5', '61');
const everything = fc.record({
  category: pick(...CATEGORIES),
  supported_parameters: csv('tools', 'temperature', ' seed', 'nothing'),
  output_modalities: csv('text', 'image', 'audio', 'embeddings', 'all'),
  input_modalities: csv('text', 'image', 'audio', 'file'),
  sort: pick(...SORTS, 'design-arena-elo-high-to-low'),
  q: pick('', 'alpha', 'ALPHA', 'a mini', 'acme/', 'über', 'two beta', 'nothing', ' gamma '),
  context: pick('', 'null', '1', '4096', '8193'),
  min_price: pick(...BOUNDS),
  max_price: pick(...BOUNDS),
  min_output_price: pick(...BOUNDS),
  max_output_price: pick(...BOUNDS),
  arch: pick('', 'gpt', 'GPT', 'claude', 'gpt-mini', 'gp'),
  model_authors: csv('acme', 'GLOBEX', 'nobody'),
  providers: csv('vendor-a', 'Other House', 'nobody'),
  distillable: pick('true', 'false'),
  zdr: pick('true'),
  region: pick('eu'),
  min_age_days: pick('', 'null', '0', '1', '60'),
  max_age_days: pick('', 'null', '0', '1', '60', '1200'),
  min_intelligence_index: index,
  max_intelligence_index: index,
  min_coding_index: index,
  max_coding_index: index,
  min_agentic_index: index,
  max_agentic_index: index,
  min_tool_success_rate: pick('', 'null', '0', '0.25', '1'),
  max_tool_success_rate: pick('', 'null', '0', '0.25', '1'),
});
/** Usually a few parameters, because few models match many. Sometimes all parameters. */
const names = [
  'category',
  'supported_parameters',
  'output_modalities',
  'input_modalities',
  'sort',
  'q',
  'context',
  'min_price',
  'max_price',
  'min_output_price',
  'max_output_price',
  'arch',
  'model_authors',
  'providers',
  'distillable',
  'zdr',
  'region',
  'min_age_days',
  'max_age_days',
  'min_intelligence_index',
  'max_intelligence_index',
  'min_coding_index',
  'max_coding_index',
  'min_agentic_index',
  'max_agentic_index',
  'min_tool_success_rate',
  'max_tool_success_rate',
] as const;
const chosen = fc.oneof(
  { arbitrary: fc.subarray([...names], { maxLength: 5 }), weight: 6 },
  { arbitrary: fc.subarray([...names]), weight: 1 },
);
export const query = fc.tuple(everything, chosen, pick('all', 'all', 'own')).map(([all, keys, modalities]) => ({
  // By default, only models of text match, which are half of the models. With `all`, the other parameters have more
  // effect.
  ...(modalities === 'all' ? { output_modalities: 'all' } : {}),
  ...Object.fromEntries(keys.map((key) => [key, all[key]])),
}));
