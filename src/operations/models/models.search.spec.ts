import fc from 'fast-check';
import { LONG_TESTS } from '../../../test/support/long-tests.js';
import { ModelSearch } from '../../catalogue/model-search.js';
import { readParameters } from './models.parameters.js';
import { toModelQuery } from './models.query.js';
import { catalogue, withScores } from '../../../test/support/catalogue/model-search/known-models.js';
import { naive, NOW } from '../../../test/support/catalogue/model-search/naive-search.js';
import { query } from '../../../test/support/catalogue/model-search/random-queries.js';

const RUNS = LONG_TESTS ? 20_000 : 2_000;

describe('the filters and orders of GET /models', () => {
  it(`agree with a naive filter over ${RUNS} random combinations of all parameters`, () => {
    let found = 0;
    let narrowed = 0;
    fc.assert(
      fc.property(catalogue, query, (all, asked) => {
        const given = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined);
        const snapshot = withScores(all);
        const result = new ModelSearch(
          snapshot,
          new Map(all.flatMap(({ model, figures }) => (figures ? [[model.id, figures]] : []))),
        ).find(toModelQuery(readParameters(new URLSearchParams(given))), NOW);
        const ids = result.map((model) => model.id);
        if (ids.length > 0) found++;
        if (ids.length < all.length) narrowed++;
        expect(ids).toEqual(naive(all, asked));
      }),
      { numRuns: RUNS },
    );
    // Comparing only empty lists would prove nothing.
    expect(found).toBeGreaterThan(RUNS / 20);
    expect(narrowed).toBeGreaterThan(RUNS / 20);
  });
});
