import { Injectable } from '@nestjs/common';
import { Catalogue } from '../../catalogue/catalogue.js';
import type { CatalogueModel } from '../../catalogue/catalogue-model.js';
import type { CatalogueSnapshot } from '../../catalogue/catalogue-snapshot.js';
import { ModelSearch } from '../../catalogue/model-search.js';
import { AnswerCache } from '../../http/answer-cache.js';
import { PreparedAnswer } from '../../http/prepared-answer.js';
import { Clock } from '../../kernel/clock.js';
import { notFound } from '../../kernel/errors.js';
import { TrafficFigures } from '../../usage/traffic-figures.js';
import { PublicAddress } from './public-address.js';
import { toFeed } from './models.feed.js';
import { pageOf } from './models.page.js';
import { readParameters, type ModelsParameters } from './models.parameters.js';
import { toModelQuery } from './models.query.js';
import { toCountText, toEndpointsText, toListText, toModelText, toZeroRetentionText } from './models.wire.js';

/** The use cases of the group, in the order in which the API lists them. */
@Injectable()
export class ModelsService {
  readonly #answers = new AnswerCache();
  #search: { readonly by: ModelSearch; readonly snapshot: CatalogueSnapshot } | undefined;

  constructor(
    private readonly catalogue: Catalogue,
    private readonly traffic: TrafficFigures,
    private readonly clock: Clock,
    private readonly address: PublicAddress,
  ) {
    catalogue.onSwap(() => this.#forget());
    traffic.onChange(() => this.#forget());
  }

  /** `path` is the request's path and query; `host` what it names as its host. */
  list(path: string, host: string | undefined): PreparedAnswer {
    const mark = path.indexOf('?');
    const search = mark < 0 ? '' : path.slice(mark);
    // The day goes by without anybody's change, so answers that depend on it are not kept.
    if (search.includes('_age_days')) return this.#prepare(path, search, host);
    return this.#answers.of(search.includes('use_rss') ? `${host} ${search}` : search, () =>
      this.#prepare(path, search, host),
    );
  }

  count(path: string): PreparedAnswer {
    const given = readParameters(new URLSearchParams(queryOf(path)), ['output_modalities']);
    return this.#answers.of(`count ${given.output_modalities?.join(',')}`, () =>
      PreparedAnswer.json(toCountText(this.#find(given).length)),
    );
  }

  listOfCaller(path: string): PreparedAnswer {
    const given = readParameters(new URLSearchParams(queryOf(path)), ['output_modalities', 'offset', 'limit']);
    return this.#answers.of(`user ${queryOf(path)}`, () =>
      PreparedAnswer.json(toListText(pageOf(this.#find(given), given, path))),
    );
  }

  zeroDataRetention(): PreparedAnswer {
    return this.#answers.of('endpoints of zero data retention', () =>
      PreparedAnswer.json(toZeroRetentionText(this.catalogue.all())),
    );
  }

  endpoints(id: string): PreparedAnswer {
    const model = this.#known(id);
    return this.#answers.of(`endpoints ${id}`, () => PreparedAnswer.json(toEndpointsText(model)));
  }

  get(id: string): PreparedAnswer {
    const model = this.#known(id);
    return this.#answers.of(`model ${id}`, () => PreparedAnswer.json(toModelText(model)));
  }

  #prepare(path: string, search: string, host: string | undefined): PreparedAnswer {
    const given = readParameters(new URLSearchParams(search));
    const page = pageOf(this.#find(given), given, path);
    if (!given.use_rss) return PreparedAnswer.json(toListText(page));
    const feed = toFeed(page.models, {
      base: this.address.of(host),
      self: path,
      chatLinks: given.use_rss_chat_links ?? false,
    });
    return new PreparedAnswer(feed, 'application/rss+xml; charset=utf-8');
  }

  #find(given: ModelsParameters): CatalogueModel[] {
    const { snapshot } = this.catalogue;
    if (this.#search?.snapshot !== snapshot)
      this.#search = { by: new ModelSearch(snapshot, this.traffic.latest), snapshot };
    return this.#search.by.find(toModelQuery(given), this.clock.now());
  }

  #known(id: string): CatalogueModel {
    const model = this.catalogue.find(id);
    if (!model) throw notFound(`Model "${id.slice(0, 200)}" is not known. GET /models lists the models.`);
    return model;
  }

  #forget(): void {
    this.#search = undefined;
    this.#answers.clear();
  }
}

const queryOf = (path: string): string => (path.includes('?') ? path.slice(path.indexOf('?')) : '');
