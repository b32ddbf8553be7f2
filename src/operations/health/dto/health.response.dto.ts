import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';
import { ClosedObject } from '../../../http/validation/closed-object.decorator.js';
import { CHECKED } from '../health-checks.js';
import { ChannelHealthEntry, EndpointHealthRecord } from './called.response.dto.js';
import { HEALTH_EXAMPLE } from './health.examples.js';

export const MAX_LISTED = 200;

const STORES = ['duckdb', 'clickhouse', 'postgres'] as const;
const PHASES = ['filling', 'following', 'starting', 'stopped'] as const;
const INTEGER = { type: 'integer' } as const;
const INTEGER_OR_NULL = { type: 'integer', nullable: true } as const;
const TIME = { format: 'date-time' } as const;
const TIME_OR_NULL = { type: String, format: 'date-time', nullable: true } as const;

@ClosedObject()
export class ReplicaHealthRecord {
  @ApiProperty()
  id: string;

  @ApiProperty(TIME)
  started_at: string;

  /** Whether the replica has the current master key. */
  @ApiProperty()
  opens_secrets: boolean;
}

@ClosedObject()
export class ProcessHealthRecord {
  /** `service` without workers (WORKERS), otherwise `supervisor`, `worker <n>` and `committer`. */
  @ApiProperty()
  name: string;

  /** False while the process restarts, or if it did not respond within a second. */
  @ApiProperty()
  responds: boolean;

  @ApiProperty(TIME_OR_NULL)
  started_at: string | null;

  /** The number of open calls, as in `gatehouse_open_calls`; null if the process makes no calls or does not respond. */
  @ApiProperty(INTEGER_OR_NULL)
  open_calls: number | null;

  /** Calls of the last hour that were refused with 503 because the process was overloaded. */
  @ApiProperty(INTEGER_OR_NULL)
  refused_1h: number | null;
}

@ClosedObject()
export class HealthCheckRecord {
  /** `object_store` and `redis` are present only if S3_BUCKET and REDIS_URL are set. */
  @ApiProperty({ enum: CHECKED })
  name: (typeof CHECKED)[number];

  @ApiProperty()
  ok: boolean;

  /** The cause of the failure, without addresses and secrets. */
  @ApiProperty({ type: String, nullable: true })
  fault: string | null;

  /** Milliseconds until the checked dependency responded. A check times out after 1,500 ms. */
  @ApiProperty(INTEGER)
  latency_ms: number;
}

@ClosedObject()
export class AnalyticsHealthRecord {
  /**
   * The value of ANALYTICS_STORE; `clickhouse` if CLICKHOUSE_URL is set. With `postgres` there is no copy of the
   * records, so the phase is `stopped`, which is not a fault.
   */
  @ApiProperty({ enum: STORES })
  store: (typeof STORES)[number];

  /** `filling`: existing records are being copied, and queries read the records themselves. */
  @ApiProperty({ enum: PHASES })
  phase: (typeof PHASES)[number];

  /**
   * The time in seconds since the copy was last complete; null = not running. As in `gatehouse_follower_lag_seconds`.
   */
  @ApiProperty({ type: Number, nullable: true })
  lag_seconds: number | null;
}

/** Unsent deliveries of all accounts. */
@ClosedObject()
export class WebhookHealthRecord {
  @ApiProperty(INTEGER)
  pending: number;

  /** Whether there are more deliveries than `pending` counts. */
  @ApiProperty()
  has_more: boolean;

  /** The time of the oldest event among the counted deliveries. */
  @ApiProperty(TIME_OR_NULL)
  oldest_at: string | null;

  /** The number of webhooks whose last attempt failed. */
  @ApiProperty(INTEGER)
  failing: number;

  /** The number of webhooks that the service disabled after three days without a successful delivery. */
  @ApiProperty(INTEGER)
  disabled: number;
}

@ClosedObject()
export class HealthRecord {
  @ApiProperty(TIME)
  as_of: string;

  @ApiProperty()
  version: string;

  @ApiProperty()
  node_version: string;

  /**
   * The replica that responds. Processes, checks, analytics, endpoints and counts of credentials are from this replica.
   */
  @ApiProperty()
  replica_id: string;

  /** The replicas with a heartbeat in the last 30 seconds; null = the database did not respond. */
  @ApiProperty({ type: [ReplicaHealthRecord], nullable: true })
  replicas: ReplicaHealthRecord[] | null;

  @ApiProperty({ type: [ProcessHealthRecord] })
  processes: ProcessHealthRecord[];

  @ApiProperty({ type: [HealthCheckRecord] })
  checks: HealthCheckRecord[];

  @ApiProperty({ type: AnalyticsHealthRecord })
  analytics: AnalyticsHealthRecord;

  /** Null = the database did not respond. */
  @ApiProperty({ type: WebhookHealthRecord, nullable: true })
  webhooks: WebhookHealthRecord | null;

  /** Endpoints that were called, worst state first. */
  @ApiProperty({ type: [EndpointHealthRecord], maxItems: MAX_LISTED })
  endpoints: EndpointHealthRecord[];

  @ApiProperty(INTEGER)
  endpoints_total: number;

  /** Sorted by state, credentials that are not ready first. Null = the database did not respond. */
  @ApiProperty({ type: [ChannelHealthEntry], maxItems: MAX_LISTED, nullable: true })
  channels: ChannelHealthEntry[] | null;

  @ApiProperty(INTEGER_OR_NULL)
  channels_total: number | null;
}

@ResponseExample(HEALTH_EXAMPLE)
export class HealthResponse extends DataResponse(HealthRecord) {}
