import { ApiProperty } from '@nestjs/swagger';
import { CHANNEL_STATES, type ChannelState } from '../../../channels/channel-states.js';
import { ClosedObject } from '../../../http/validation/closed-object.decorator.js';

const BREAKER_STATES = ['closed', 'half_open', 'open'] as const;
const INTEGER = { type: 'integer' } as const;
const TIME = { format: 'date-time' } as const;
const TIME_OR_NULL = { type: String, format: 'date-time', nullable: true } as const;

@ClosedObject()
export class SeenFailure {
  /** The HTTP status that the vendor sent; if it sent none, the status that this service assigns to the failure. */
  @ApiProperty(INTEGER)
  status: number;

  @ApiProperty(TIME)
  at: string;
}

/** An endpoint that was called since the processes of the replica started. */
@ClosedObject()
export class EndpointHealthRecord {
  @ApiProperty()
  provider: string;

  @ApiProperty()
  provider_name: string;

  /** The vendor's name of the model. */
  @ApiProperty()
  model: string;

  @ApiProperty()
  capability: string;

  /** The address of the channel; null = the provider's address. */
  @ApiProperty({ type: String, nullable: true })
  base_url: string | null;

  /**
   * The worst state of the endpoint's circuit breaker in all processes. `open`: the endpoint is not called.
   * `half_open`: one call tests the endpoint now.
   */
  @ApiProperty({ enum: BREAKER_STATES })
  state: (typeof BREAKER_STATES)[number];

  /** The number of processes in which the breaker is not closed. */
  @ApiProperty(INTEGER)
  open_in: number;

  @ApiProperty(TIME_OR_NULL)
  opened_at: string | null;

  /** The first call after this time tests the endpoint. The time may be in the past. */
  @ApiProperty(TIME_OR_NULL)
  next_try_at: string | null;

  @ApiProperty(TIME_OR_NULL)
  last_success_at: string | null;

  @ApiProperty({ type: SeenFailure, nullable: true })
  last_failure: SeenFailure | null;

  /**
   * The number of calls in the last hour that succeeded or failed because of an outage. Errors of callers and
   * credentials are not counted.
   */
  @ApiProperty(INTEGER)
  requests_1h: number;

  @ApiProperty(INTEGER)
  errors_1h: number;

  /** The share of `requests_1h` that succeeded, in percent; null if `requests_1h` is 0. */
  @ApiProperty({ type: Number, nullable: true })
  uptime_1h: number | null;
}

/** The state of a platform credential. `GET /providers/credentials/{id}` returns its settings. */
@ClosedObject()
export class ChannelHealthEntry {
  @ApiProperty()
  id: string;

  @ApiProperty()
  provider: string;

  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  /** Masked rendering of the key. */
  @ApiProperty({ example: 'sk-...AbCd' })
  label: string;

  @ApiProperty({ enum: CHANNEL_STATES })
  state: ChannelState;

  @ApiProperty(TIME_OR_NULL)
  resting_until: string | null;

  @ApiProperty(TIME_OR_NULL)
  last_success_at: string | null;

  @ApiProperty({ type: SeenFailure, nullable: true })
  last_error: SeenFailure | null;

  /** Calls of the last hour in all processes of the replica. */
  @ApiProperty(INTEGER)
  requests_1h: number;

  @ApiProperty(INTEGER)
  errors_1h: number;
}
