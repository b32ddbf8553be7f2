import { ApiProperty } from '@nestjs/swagger';
import { CHANNEL_STATES, type ChannelState } from '../../../channels/channel-states.js';
import { ClosedObject } from '../../../http/validation/closed-object.decorator.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse, ListResponse } from '../../../http/reply/data-response.js';

const SOURCES = ['stored', 'environment'] as const;
const CHECKS = ['models', 'call'] as const;
const TEXTS = { type: 'object', additionalProperties: { type: 'string' } } as const;
const INTEGER = { type: 'integer' } as const;
const INTEGER_OR_NULL = { type: 'integer', nullable: true } as const;
const TIME_OR_NULL = { type: String, format: 'date-time', nullable: true } as const;

@ClosedObject()
export class ChannelError {
  /** The HTTP status that the vendor sent; if it sent none, the status that this service assigns to the failure. */
  @ApiProperty(INTEGER)
  status: number;

  @ApiProperty({ format: 'date-time' })
  at: string;
}

/** A credential of the platform, without its secrets. States and counts are from the replica that responds. */
@ResponseExample({
  id: '019ab0c4-4444-7a61-9d0e-1f2a3b4c5d6e',
  provider: 'north',
  name: 'Second account',
  label: 'sk-...AbCd',
  source: 'stored',
  base_url: null,
  region: null,
  api_version: null,
  headers: {},
  secret_headers: [],
  priority: 0,
  weight: 3,
  allowed_models: null,
  denied_models: [],
  model_names: {},
  rpm: 600,
  tpm: null,
  max_concurrent: null,
  disabled: false,
  state: 'ready',
  resting_until: null,
  last_success_at: '2026-11-22T08:30:00.000Z',
  last_error: null,
  requests_1h: 120,
  errors_1h: 0,
  p50_ms: 431,
  created_at: '2026-11-20T08:30:00.000Z',
  updated_at: null,
})
@ClosedObject()
export class ChannelRecord {
  /** `env:<slug>` for a credential from an environment variable. */
  @ApiProperty()
  id: string;

  @ApiProperty()
  provider: string;

  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  /** Masked rendering of the key. */
  @ApiProperty({ example: 'sk-...AbCd' })
  label: string;

  /** `environment`: from the environment variable `<SLUG>_API_KEY`. Such a credential cannot be changed here. */
  @ApiProperty({ enum: SOURCES })
  source: (typeof SOURCES)[number];

  @ApiProperty({ type: String, nullable: true })
  base_url: string | null;

  @ApiProperty({ type: String, nullable: true })
  region: string | null;

  @ApiProperty({ type: String, nullable: true })
  api_version: string | null;

  @ApiProperty(TEXTS)
  headers: Record<string, string>;

  /** The names of the secret headers. */
  @ApiProperty({ type: [String] })
  secret_headers: string[];

  @ApiProperty(INTEGER)
  priority: number;

  @ApiProperty(INTEGER)
  weight: number;

  @ApiProperty({ type: [String], nullable: true })
  allowed_models: string[] | null;

  @ApiProperty({ type: [String] })
  denied_models: string[];

  @ApiProperty(TEXTS)
  model_names: Record<string, string>;

  @ApiProperty(INTEGER_OR_NULL)
  rpm: number | null;

  @ApiProperty(INTEGER_OR_NULL)
  tpm: number | null;

  @ApiProperty(INTEGER_OR_NULL)
  max_concurrent: number | null;

  @ApiProperty()
  disabled: boolean;

  @ApiProperty({ enum: CHANNEL_STATES })
  state: ChannelState;

  /**
   * When the last rest of the credential ends; null = the credential does not rest. It rests because of a response of
   * the vendor or a limit, for one model or for all models.
   */
  @ApiProperty(TIME_OR_NULL)
  resting_until: string | null;

  @ApiProperty(TIME_OR_NULL)
  last_success_at: string | null;

  @ApiProperty({ type: ChannelError, nullable: true })
  last_error: ChannelError | null;

  /** The number of calls in the last hour. */
  @ApiProperty(INTEGER)
  requests_1h: number;

  @ApiProperty(INTEGER)
  errors_1h: number;

  /** The median time to the first byte of a response, in milliseconds. */
  @ApiProperty(INTEGER_OR_NULL)
  p50_ms: number | null;

  @ApiProperty(TIME_OR_NULL)
  created_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  updated_at: string | null;
}

export class ChannelResponse extends DataResponse(ChannelRecord) {}

export class ChannelListResponse extends ListResponse(
  ChannelRecord,
  'Sorted by provider, then in the order of use. The order within one priority is random.',
) {}

/** The result of a test call to the vendor. */
@ResponseExample({ ok: true, status: 200, latency_ms: 212, message: 'The vendor lists 23 models.', checked: 'models' })
@ClosedObject()
export class ChannelTestResponse {
  @ApiProperty()
  ok: boolean;

  /** The HTTP status that the vendor sent; if it sent none, the status that this service assigns to the failure. */
  @ApiProperty(INTEGER)
  status: number;

  @ApiProperty(INTEGER)
  latency_ms: number;

  /**
   * A description of the success; for a failure, the vendor's message, or the message of this service if the vendor
   * sent none. At most 500 characters, without credentials.
   */
  @ApiProperty()
  message: string;

  /** Whether the list of models was read, or a model was called. */
  @ApiProperty({ enum: CHECKS })
  checked: (typeof CHECKS)[number];
}

@ClosedObject()
export class DiscoveredChannelModel {
  /** The vendor's name of the model. */
  @ApiProperty()
  upstream: string;

  /** The id of the model in the catalogue; null if the catalogue does not have the model at this provider. */
  @ApiProperty({ type: String, nullable: true })
  id: string | null;

  /** Whether the catalogue has the model at this provider. */
  @ApiProperty()
  known: boolean;

  /** Whether the price is known. Models without a price are not served. */
  @ApiProperty()
  priced: boolean;
}

@ResponseExample({
  models: [
    { upstream: 'north-large', id: 'north/large', known: true, priced: true },
    { upstream: 'north-preview', id: null, known: false, priced: false },
  ],
  missing: ['north-preview'],
})
@ClosedObject()
export class ChannelModelsResponse {
  @ApiProperty({ type: [DiscoveredChannelModel] })
  models: DiscoveredChannelModel[];

  /** The vendor's names of models that are not served because the catalogue has no price for them. */
  @ApiProperty({ type: [String] })
  missing: string[];
}
