import type { Capability, CatalogueEndpoint } from '../catalogue/catalogue-model.js';
import type { SecretValue } from '../kernel/secret-value.js';
import type { EndpointAdapter } from '../providers/ports/endpoint-adapter.js';
import type { EmbeddingAdapter } from '../providers/ports/embedding-adapter.port.js';
import type { EndpointName } from '../providers/ports/endpoint-call.js';
import type { ImageAdapter } from '../providers/ports/image-adapter.port.js';
import type { ReferenceSource } from '../providers/ports/reference-source.port.js';
import type { SpeechAdapter } from '../providers/ports/speech-adapter.port.js';
import type { RerankAdapter } from '../providers/ports/rerank-adapter.port.js';
import type { TextAdapter } from '../providers/ports/text-adapter.port.js';
import type { TranscriptionAdapter } from '../providers/ports/transcription-adapter.port.js';

/** Adapters by capability. */
export interface Adapters {
  readonly speech?: readonly SpeechAdapter[];
  readonly image?: readonly ImageAdapter[];
  readonly text?: readonly TextAdapter[];
  readonly embeddings?: readonly EmbeddingAdapter[];
  readonly transcription?: readonly TranscriptionAdapter[];
  readonly rerank?: readonly RerankAdapter[];
}

/** The adapters of this service, by capability and name. */
export class AdapterRegistry {
  readonly speech: ReadonlyMap<string, SpeechAdapter>;
  readonly image: ReadonlyMap<string, ImageAdapter>;
  readonly text: ReadonlyMap<string, TextAdapter>;
  readonly embeddings: ReadonlyMap<string, EmbeddingAdapter>;
  readonly transcription: ReadonlyMap<string, TranscriptionAdapter>;
  readonly rerank: ReadonlyMap<string, RerankAdapter>;
  readonly #byCapability: Readonly<Partial<Record<Capability, ReadonlyMap<string, EndpointAdapter>>>>;

  /** `references` fetches pictures by URL. If it is absent, URLs of pictures are refused. */
  constructor(
    { speech = [], image = [], text = [], embeddings = [], transcription = [], rerank = [] }: Adapters,
    readonly references?: ReferenceSource,
  ) {
    this.speech = byName(speech);
    this.image = byName(image);
    this.text = byName(text);
    this.embeddings = byName(embeddings);
    this.transcription = byName(transcription);
    this.rerank = byName(rerank);
    this.#byCapability = {
      speech: this.speech,
      image: this.image,
      chat: this.text,
      embeddings: this.embeddings,
      transcription: this.transcription,
      rerank: this.rerank,
    };
  }

  /** The reason why this service cannot call an endpoint with any credential; undefined if it can. */
  unreachableReason(endpoint: CatalogueEndpoint & Pick<EndpointName, 'channel'>): string | undefined {
    const adapters = this.#byCapability[endpoint.capability];
    if (endpoint.adapter === null || !adapters) return 'This service has no endpoint that can do this';
    const adapter = adapters.get(endpoint.adapter);
    return adapter
      ? adapter.unreachableReason(endpoint)
      : `The adapter ${endpoint.adapter} is not installed on this service`;
  }

  /**
   * The reason why a credential does not have the form that an endpoint requires; undefined if it has that form. The
   * reason does not contain the credential.
   */
  credentialReason(
    endpoint: CatalogueEndpoint & Pick<EndpointName, 'channel'>,
    credential: SecretValue,
  ): string | undefined {
    const adapter = this.#byCapability[endpoint.capability]?.get(endpoint.adapter ?? '');
    return adapter?.credentialReason(endpoint, credential);
  }
}

const byName = <T extends EndpointAdapter>(adapters: readonly T[]): ReadonlyMap<string, T> =>
  new Map(adapters.map((adapter) => [adapter.name, adapter]));
