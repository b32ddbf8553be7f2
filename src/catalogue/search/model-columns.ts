import { sum } from '../../kernel/money.js';
import type { ModelScores } from '../benchmark.js';
import type { CatalogueModel } from '../catalogue-model.js';
import type { TrafficFigures } from '../model-query.js';
import { DecimalColumn, knownPrice } from './decimal-column.js';
import { Membership } from './membership.js';

/**
 * What the filters look at, by the place of the model in the default order; made once per state of the catalogue. What is
 * asked for often stands in columns of its own, because models are objects of many shapes and reading one costs more than a test.
 */
export class ModelColumns {
  readonly prompt: DecimalColumn;
  readonly completion: DecimalColumn;
  /** The mean orders as the sum does. */
  readonly mean: DecimalColumn;
  /** Tokens. */
  readonly contexts: Float64Array;
  /** Unix seconds. */
  readonly created: Float64Array;
  readonly inputs: Membership;
  readonly outputs: Membership;
  readonly supported: Membership;
  /** Name and slugs, in lower case. */
  readonly words: readonly string[];
  readonly authors: Membership;
  /** Slugs and names of the vendors, in lower case. */
  readonly providers: Membership;
  /** Tokenizer's group and family, in lower case. */
  readonly architectures: Membership;
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
    this.mean = new DecimalColumn(
      prompt.map((price, at) => (price && completion[at] ? sum([price, completion[at]]) : undefined)),
    );
    this.contexts = Float64Array.from(models, (model) => model.contextLength);
    this.created = Float64Array.from(models, (model) => model.created);
    this.inputs = new Membership(models.map((model) => model.inputModalities));
    this.outputs = new Membership(models.map((model) => model.outputModalities));
    this.supported = new Membership(models.map((model) => model.supportedParameters));
    this.words = models.map((model) => `${model.name}\n${model.id}\n${model.canonicalSlug}`.toLowerCase());
    this.authors = new Membership(models.map((model) => [model.id.slice(0, model.id.indexOf('/')).toLowerCase()]));
    this.providers = new Membership(
      models.map((model) =>
        model.endpoints.flatMap((endpoint) => [endpoint.provider.toLowerCase(), endpoint.providerName.toLowerCase()]),
      ),
    );
    this.architectures = new Membership(
      models.map((model) => [
        model.tokenizer.toLowerCase(),
        ...(model.family === undefined ? [] : [model.family.toLowerCase()]),
      ]),
    );
    this.scores = models.map((model) => scores.get(model.id));
    this.figures = models.map((model) => figures.get(model.id));
  }
}
