import type { ModelScores } from '../benchmark.js';
import type { CatalogueModel } from '../catalogue-model.js';
import type { TrafficFigures } from '../model-query.js';
import { DecimalColumn, knownPrice } from './decimal-column.js';
import { Membership } from './membership.js';

/**
 * The columns that filters and orders read, built once for each state of the catalogue. The index of a model is its
 * place in the default order. Frequently filtered members have their own columns. Models are objects of many shapes,
 * and reading a member of such an object takes longer than testing its value.
 */
export class ModelColumns {
  /** A price per character counts as a price per token, so that a model priced by characters does not count as free. */
  readonly prompt: DecimalColumn;
  readonly completion: DecimalColumn;
  /** Sort keys: by the prompt price, then by the completion price. */
  readonly price: Float64Array;
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
  /** Tokenizer group and model family, in lower case. */
  readonly architectures: Membership;
  readonly scores: readonly (ModelScores | undefined)[];
  readonly figures: readonly (TrafficFigures | undefined)[];

  constructor(
    readonly models: readonly CatalogueModel[],
    scores: ReadonlyMap<string, ModelScores>,
    figures: ReadonlyMap<string, TrafficFigures>,
  ) {
    this.prompt = new DecimalColumn(models.map(({ pricing }) => knownPrice(pricing.inputCharacter ?? pricing.prompt)));
    this.completion = new DecimalColumn(models.map((model) => knownPrice(model.pricing.completion)));
    this.price = Float64Array.from(
      models,
      (_, at) => this.prompt.ranks[at]! * this.completion.size + this.completion.ranks[at]!,
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
