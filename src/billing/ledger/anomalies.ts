import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import { isDatabaseUnavailable } from '../../database/database-faults.js';
import { Sql } from '../../database/sql.js';
import { toGenerationId } from '../../kernel/ids.js';
import type { PlainFamily } from '../../telemetry/metric-family.js';
import type { Payer, UsageAnomaly } from '../bill.js';

/** Implausible usage, or a completed call that could not be billed. */
type AnomalyKind = UsageAnomaly['kind'] | 'settlement_failed';
const ANOMALY_KINDS: readonly AnomalyKind[] = [
  'usage_missing',
  'usage_invalid',
  'usage_excessive',
  'usage_inconsistent',
  'usage_unpriced',
  'settlement_failed',
];

export interface Anomaly {
  readonly kind: AnomalyKind;
  readonly payer: Payer;
  readonly generationId: string;
  /** The X-Request-Id of the response, if known. */
  readonly requestId: string | null;
  /** Figures and messages, never prompts or secrets. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The maximum number of anomalies in memory while the database is unavailable. Further anomalies are only logged. */
const MAX_UNWRITTEN = 1_000;
const RETRY_MS = 2_000;

/** Records billing anomalies: logs and counts them at once, and writes a row when the database is available. */
@Injectable()
export class Anomalies implements BeforeApplicationShutdown {
  readonly #log = new Logger('Billing');
  readonly #counts = new Map<AnomalyKind, number>();
  readonly #unwritten: Anomaly[] = [];
  #writing: Promise<void> | undefined;
  #stopping = false;

  constructor(private readonly sql: Sql) {}

  /** The number of anomalies of a kind that this process has recorded. */
  countOf(kind: AnomalyKind): number {
    return this.#counts.get(kind) ?? 0;
  }

  /** The counts of this process. */
  family(): PlainFamily {
    const samples = ANOMALY_KINDS.map((kind) => ({ labels: { kind }, value: this.countOf(kind) }));
    return {
      type: 'counter',
      name: 'gatehouse_billing_anomalies_total',
      help: 'Implausible usage reports, and completed calls that could not be billed, by kind.',
      samples,
    };
  }

  /**
   * Resolves when the row is written, or is queued because the database is unavailable. If neither is possible, the
   * failure is only logged. Never throws.
   */
  async record(anomaly: Anomaly): Promise<void> {
    const { kind, generationId, requestId, details } = anomaly;
    this.#counts.set(kind, this.countOf(kind) + 1);
    const line =
      `${kind} in generation ${toGenerationId(generationId)} (request ${requestId ?? 'unknown'}): ` +
      JSON.stringify(details);
    if (kind === 'settlement_failed') this.#log.error(line);
    else this.#log.warn(line);
    await this.#write(anomaly).catch((error: Error) => this.#enqueue(anomaly, error));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping = true;
    await this.#writing;
  }

  async #write({ kind, payer, generationId, requestId, details }: Anomaly): Promise<void> {
    await this.sql.query(
      `insert into billing_anomaly (kind, account_no, key_no, generation_id, request_id, details)
       values ($1, $2, $3, $4, $5, $6)`,
      [kind, payer.accountNo, payer.keyNo, generationId, requestId, JSON.stringify(details)],
    );
  }

  #enqueue(anomaly: Anomaly, error: Error): void {
    if (this.#unwritten.length >= MAX_UNWRITTEN || !isDatabaseUnavailable(error)) return this.#giveUp(anomaly, error);
    this.#unwritten.push(anomaly);
    this.#writing ??= this.#writeLater().finally(() => (this.#writing = undefined));
  }

  async #writeLater(): Promise<void> {
    const policy = retry(
      // After the shutdown began, only one more attempt is made.
      handleWhen((error) => isDatabaseUnavailable(error) && !this.#stopping),
      { maxAttempts: Infinity, backoff: new ConstantBackoff(RETRY_MS) },
    ).dangerouslyUnref();
    while (this.#unwritten.length > 0) {
      try {
        await policy.execute(() => this.#write(this.#unwritten[0]!));
        this.#unwritten.shift();
      } catch (error) {
        // A refused anomaly is lost alone. If the database is unavailable while the service stops, all are lost.
        const lost = this.#unwritten.splice(0, isDatabaseUnavailable(error) ? Infinity : 1);
        for (const anomaly of lost) this.#giveUp(anomaly, error as Error);
      }
    }
  }

  #giveUp({ generationId }: Anomaly, error: Error): void {
    this.#log.error(
      `The anomaly of generation ${toGenerationId(generationId)} could not be recorded: ${error.message}`,
    );
  }
}
