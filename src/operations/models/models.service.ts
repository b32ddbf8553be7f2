import { Injectable } from '@nestjs/common';
import { Catalogue } from '../../catalogue/catalogue.js';
import type { CatalogueModel } from '../../catalogue/catalogue-model.js';
import type { CatalogueSnapshot } from '../../catalogue/catalogue-snapshot.js';
import { ModelSearch } from '../../catalogue/model-search.js';
import { BodyCache } from '../../http/reply/body-cache.js';
import { PreparedBody } from '../../http/reply/prepared-body.js';
import { CallableModels } from '../../inference/endpoint-access.js';
import { ModelNames } from '../../inference/model-names.js';
import { Clock } from '../../kernel/clock.js';
import type { Dialect } from '../../kernel/dialect.js';
import type { Principal } from '../../kernel/principal.js';
import { ModelTrafficCache } from '../../usage/model-traffic-cache.js';
import { PublicAddress } from '../../http/edge/service-address.js';
import { toFeed } from './models.feed.js';
import { toMessagesList } from './models.messages-list.js';
import { modelsPageOf } from './models.page.js';
import { readParameters, type ModelsParameters } from './models.parameters.js';
import { toModelQuery } from './models.query.js';
import {
  toCountText,
  toEndpointsText,
  toListText,
  toModelText,
  toRecordText,
  toWholeListText,
  toZeroRetentionText,
} from './models.wire.js';

/** With these options, a name without an author means the same model as in `/chat/completions`. */
const READ = { capability: 'chat', format: 'chat' } as const;

/** Every call must pass the same `dialect`, because the cache keys of responses do not contain it. */
@Injectable()
export class ModelsService {
  readonly #responses = new BodyCache();
  #search: { readonly by: ModelSearch; readonly snapshot: CatalogueSnapshot } | undefined;

  constructor(
    private readonly catalogue: Catalogue,
    private readonly traffic: ModelTrafficCache,
    private readonly clock: Clock,
    private readonly address: PublicAddress,
    private readonly callable: CallableModels,
    private readonly names: ModelNames,
  ) {
    catalogue.onSwap(() => this.#forget());
    traffic.onChange(() => this.#forget());
  }

  /**
   * `path`: the request's path and query; `host`: its Host header. A list of all found models, unlike a page of it, has
   * a count and links only in the openrouter dialect, because clients of this dialect require them.
   */
  list(path: string, host: string | undefined, dialect: Dialect): PreparedBody {
    const search = queryOf(path);
    // Not cached, because the result changes with the date.
    if (search.includes('_age_days')) return this.#prepare(path, search, host, dialect);
    return this.#responses.of(search.includes('use_rss') ? `${host} ${search}` : search, () =>
      this.#prepare(path, search, host, dialect),
    );
  }

  /** The list in the format of `/messages`, with the same filters as `list`. */
  listForMessages(path: string): PreparedBody {
    const query = new URLSearchParams(queryOf(path));
    const { limit, ...filters } = readParameters(query);
    const [after, before] = [query.get('after_id') || undefined, query.get('before_id') || undefined];
    return PreparedBody.json(JSON.stringify(toMessagesList(this.#find(filters), { limit, after, before })));
  }

  count(path: string): PreparedBody {
    const given = readParameters(new URLSearchParams(queryOf(path)), ['output_modalities']);
    return this.#responses.of(`count ${given.output_modalities?.join(',')}`, () =>
      PreparedBody.json(toCountText(this.#find(given).length)),
    );
  }

  /**
   * The models that the caller can call now, of all output modalities unless the query names some. The list is not
   * cached, because it depends on the caller's credentials.
   */
  async listOfCaller(path: string, caller: Principal, dialect: Dialect): Promise<PreparedBody> {
    const given = readParameters(new URLSearchParams(queryOf(path)), ['output_modalities', 'offset', 'limit']);
    const callable = await this.callable.of(caller);
    const found = this.#find({ output_modalities: ['all'], ...given }).filter((model) => callable.has(model));
    return PreparedBody.json(toListText(modelsPageOf(found, given, path), dialect));
  }

  /**
   * `path`: the request's path and query. It is the key in the cache, because the link to the next page contains it.
   */
  listEmbeddings(path: string, dialect: Dialect): PreparedBody {
    return this.#responses.of(path, () => {
      const given = readParameters(new URLSearchParams(queryOf(path)), ['offset', 'limit']);
      const found = this.#find({ output_modalities: ['embeddings'] });
      return PreparedBody.json(toListText(modelsPageOf(found, given, path), dialect));
    });
  }

  zeroDataRetention(): PreparedBody {
    return this.#responses.of('endpoints with zero data retention', () =>
      PreparedBody.json(toZeroRetentionText(this.catalogue.all())),
    );
  }

  /** `name`: any name that calls accept. */
  endpoints(name: string): PreparedBody {
    const model = this.names.find(name, READ);
    return this.#responses.of(`endpoints ${model.id}`, () => PreparedBody.json(toEndpointsText(model)));
  }

  retrieve(name: string, dialect: Dialect): PreparedBody {
    const model = this.names.find(name, READ);
    return this.#responses.of(`record ${model.id}`, () => PreparedBody.json(toRecordText(model, dialect)));
  }

  get(name: string, dialect: Dialect): PreparedBody {
    const model = this.names.find(name, READ);
    return this.#responses.of(`model ${model.id}`, () => PreparedBody.json(toModelText(model, dialect)));
  }

  #prepare(path: string, search: string, host: string | undefined, dialect: Dialect): PreparedBody {
    const given = readParameters(new URLSearchParams(search));
    const page = modelsPageOf(this.#find(given), given, path);
    if (!given.use_rss)
      return PreparedBody.json((page.isPart || dialect === 'openrouter' ? toListText : toWholeListText)(page, dialect));
    const feed = toFeed(page.models, {
      base: this.address.of(host),
      self: path,
      chatLinks: given.use_rss_chat_links ?? false,
    });
    return new PreparedBody(feed, 'application/rss+xml; charset=utf-8');
  }

  #find(given: ModelsParameters): CatalogueModel[] {
    const { snapshot } = this.catalogue;
    if (this.#search?.snapshot !== snapshot)
      this.#search = { by: new ModelSearch(snapshot, this.traffic.latest), snapshot };
    return this.#search.by.find(toModelQuery(given), this.clock.now());
  }

  #forget(): void {
    this.#search = undefined;
    this.#responses.clear();
  }
}

const queryOf = (path: string): string => (path.includes('?') ? path.slice(path.indexOf('?')) : '');
