import { sum } from '../../kernel/money.js';
import type { ModelScores } from '../benchmark.js';
import type { CatalogueModel } from '../catalogue-model.js';
import type { TrafficFigures } from '../model-query.js';
import { DecimalColumn, knownPrice } from './decimal-column.js';

/** What the filters look at, by the place of the model in the default order; made once per state of the catalogue. */
export class ModelColumns {
  readonly prompt: DecimalColumn;
  readonly completion: DecimalColumn;
  /** The mean orders as the sum does. */
  readonly mean: DecimalColumn;
  /** Name and slugs, in lower case. */
  readonly words: readonly string[];
  readonly authors: readonly string[];
  /** Slugs and names of the vendors, in lower case. */
  readonly providers: readonly ReadonlySet<string>[];
  /** Tokenizer's group and family, in lower case. */
  readonly architectures: readonly (readonly string[])[];
  readonly scores: readonly (ModelScores | undefined)[];
  readonly figures: readonly (TrafficFigures | undefined)[];

  constructor(
    readonly models: readonly CatalogueModel[],
    scores: ReadonlyMap<string, ModelScores>,
    figures: ReadonlyMap<string, TrafficFigures>,
  ) {
    const prompt = models.map((model) => knownPrice(model.pricing.prompt));
    const completion = models.map((model) => knownPrice(model.pricing.completion));
    this.prompt = new DecimalColumn(prompt);
    this.completion = new DecimalColumn(completion);
    this.mean = new DecimalColumn(prompt.map((price, at) => (price && completion[at] ? sum([price, completion[at]]) : undefined)));
    this.words = models.map((model) => `${model.name}\n${model.id}\n${model.canonicalSlug}`.toLowerCase());
    this.authors = models.map((model) => model.id.slice(0, model.id.indexOf('/')).toLowerCase());
    this.providers = models.map((model) => new Set(model.endpoints.flatMap((endpoint) => [endpoint.provider.toLowerCase(), endpoint.providerName.toLowerCase()])));
    this.architectures = models.map((model) => [model.tokenizer.toLowerCase(), ...(model.family === undefined ? [] : [model.family.toLowerCase()])]);
    this.scores = models.map((model) => scores.get(model.id));
    this.figures = models.map((model) => figures.get(model.id));
  }
}
