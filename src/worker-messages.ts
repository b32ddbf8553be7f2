import type { ListenAddress } from './http/edge/listening.js';
import type { ProcessHealth } from './inference/process-health.js';
import type { MetricFamily } from './telemetry/metric-family.js';

/** The input of a worker in addition to the configuration, which the worker reads from the environment. */
export interface WorkerStart {
  readonly databaseUrl: string;
  readonly databaseDirectUrl: string;
  readonly address: ListenAddress;
  /** The socket of the supervisor, for requests that a worker does not serve. */
  readonly supervisorSocket: string;
  readonly committerSocket: string;
  readonly countersSocket: string;
}

export type ToWorker =
  | { readonly kind: 'start'; readonly start: WorkerStart }
  | { readonly kind: 'collect'; readonly id: number }
  | { readonly kind: 'health'; readonly id: number }
  | { readonly kind: 'stop' };

export type FromWorker =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'metrics'; readonly id: number; readonly families: readonly MetricFamily[] }
  | { readonly kind: 'health'; readonly id: number; readonly health: ProcessHealth }
  /** `left`: the number of requests that did not end in time. */
  | { readonly kind: 'drained'; readonly left: number };
