import { Injectable } from '@nestjs/common';
import { Spending } from '../billing/spending.js';
import { ChannelHealth, type ChannelHealthRecord } from '../channels/channel-health.js';
import { Overload } from '../kernel/scheduling/overload.js';
import { mergedChannels, worstFirst, type ReportedEndpoint } from './merged-health.js';
import type { EndpointReport } from './routing/breaker-states.js';
import { EndpointHealth } from './routing/endpoint-health.js';

/**
 * Maximum number of endpoints, and of credentials, in the report of a process. Endpoints in the worst states are kept.
 */
const MAX_REPORTED = 500;

/** The results of one process's calls. Can be sent to another process as a structured clone. */
export interface ProcessHealth {
  readonly openCalls: number;
  /** Number of calls in the last hour that were refused because of overload. */
  readonly refusals: number;
  readonly endpoints: readonly ReportedEndpoint[];
  readonly channels: readonly (readonly [id: string, ChannelHealthRecord])[];
}

/** A process of this service. */
export interface ServiceProcess {
  readonly name: string;
  /** Unix milliseconds; null if it is not running. */
  readonly startedAt: number | null;
  /** Null if the process does not respond; undefined if it makes no calls. */
  readonly health: ProcessHealth | null | undefined;
}

type ReadProcesses = () => Promise<readonly ServiceProcess[]>;

/** The health of the processes of this service. Each process has its own breakers and counts. */
@Injectable()
export class ProcessesHealth {
  #others: ReadProcesses | undefined;
  #reading: Promise<ServiceProcess[]> | undefined;

  constructor(
    private readonly endpoints: EndpointHealth,
    private readonly channels: ChannelHealth,
    private readonly spending: Spending,
    private readonly overload: Overload,
  ) {}

  /** Sets the function that reads the health of the workers and the committer. */
  add(others: ReadProcesses): void {
    this.#others = others;
  }

  own(): ProcessHealth {
    return {
      openCalls: this.spending.openCalls,
      refusals: this.overload.refusals.sums().requests,
      endpoints: this.endpoints.reports().map(reported).sort(worstFirst).slice(0, MAX_REPORTED),
      channels: this.channels.all().slice(0, MAX_REPORTED),
    };
  }

  /** The results of calls with each of the platform's credentials, merged over all processes of this replica. */
  async callsByChannel(): Promise<ReadonlyMap<string, ChannelHealthRecord>> {
    const processes = await this.all();
    return mergedChannels(processes.flatMap(({ health }) => health?.channels ?? []));
  }

  /** Concurrent readers share one read. */
  all(): Promise<ServiceProcess[]> {
    return (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
  }

  async #read(): Promise<ServiceProcess[]> {
    const name = this.#others ? 'supervisor' : 'service';
    const own = { name, startedAt: performance.timeOrigin, health: this.own() };
    return [own, ...((await this.#others?.()) ?? [])];
  }
}

const reported = ({ endpoint, ...report }: EndpointReport): ReportedEndpoint => {
  const { provider, providerName, upstreamModel, listedAs: model = upstreamModel, capability } = endpoint;
  return { ...report, provider, providerName, model, capability };
};
