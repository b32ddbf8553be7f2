import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Sql } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { reasonOf } from '../kernel/errors/errors.js';
import { asEgressRefusal } from './forwarding/refusal-response.js';
import type { EgressRefusal, RefusedTarget } from './proxy.errors.js';

const WINDOW_MS = 60_000;
/**
 * Maximum number of entries per intern and window, so that an agent in a loop does not fill the audit trail. The
 * metrics count every refusal.
 */
const MAX_ENTRIES = 10;
const MAX_WINDOWS = 1_000;
const MAX_NAME_CHARACTERS = 400;

interface Window {
  readonly until: number;
  readonly recorded: Set<string>;
}

/**
 * Records in the audit trail which hosts and secrets were refused to an intern. Each target is recorded once per
 * window, and at most `MAX_ENTRIES` targets per window. A window starts with its first entry.
 */
@Injectable()
export class RefusalAudit {
  readonly #log = new Logger('egress');
  readonly #windows = new Map<string, Window>();

  constructor(
    private readonly audit: AuditTrail,
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Converts the failure of an intern's request to the refusal to send. Does not wait for the audit entry. */
  refusalOf(internId: string, error: unknown): EgressRefusal {
    const refusal = asEgressRefusal(error);
    if (refusal.target && this.#isNew(internId, refusal.target)) void this.#record(internId, refusal.target);
    return refusal;
  }

  #isNew(internId: string, { kind, name }: RefusedTarget): boolean {
    const { recorded } = this.#windowOf(internId);
    const target = `${kind}/${name}`;
    if (recorded.has(target) || recorded.size === MAX_ENTRIES) return false;
    recorded.add(target);
    return true;
  }

  #windowOf(internId: string): Window {
    const now = this.clock.now().getTime();
    const found = this.#windows.get(internId);
    if (found && now < found.until) return found;
    if (this.#windows.size >= MAX_WINDOWS)
      for (const [id, { until }] of this.#windows) if (now >= until) this.#windows.delete(id);
    const window = { until: now + WINDOW_MS, recorded: new Set<string>() };
    this.#windows.set(internId, window);
    return window;
  }

  async #record(internId: string, { kind, name }: RefusedTarget): Promise<void> {
    try {
      const [intern] = await this.sql.query<{ accountId: string }>(
        'select account_id as "accountId" from intern where id = $1',
        [internId],
      );
      const accountId = intern?.accountId ?? null;
      const id = `${internId}/${name.slice(0, MAX_NAME_CHARACTERS)}`;
      await this.audit.record({ by: 'service', action: 'refuse', kind, id, accountId });
    } catch (error) {
      this.#log.warn(`cannot record a refusal of intern ${internId}: ${reasonOf(error)}`);
    }
  }
}
