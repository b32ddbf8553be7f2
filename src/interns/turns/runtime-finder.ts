import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Sql } from '../../database/sql.js';
import { RuntimeDriver, type Runtime } from '../../runtimes/runtime.driver.js';
import { HeldElsewhere, Moving } from '../held-elsewhere.js';
import { chatErrors } from '../intern-chat.errors.js';
import type { InternRecord } from '../intern-record.js';
import { isAtRest, type InternStatus } from '../lifecycle.js';
import { HeldInterns } from '../work/held-interns.js';

/** How long a replica that runs no interns waits for another replica to take a due intern. */
const TAKEN_WITHIN_MS = 30_000;

interface Holder {
  /** Whether a replica has the lease of the intern. */
  readonly isHeld: boolean;
  /** The address of that replica; null if it did not announce one. */
  readonly url: string | null;
  /** Whether no replica has taken the intern within `TAKEN_WITHIN_MS`. */
  readonly isForgotten: boolean;
}

/** Finds where an intern runs. */
@Injectable()
export class RuntimeFinder {
  constructor(
    private readonly held: HeldInterns,
    private readonly sql: Sql,
    private readonly config: Config,
    private readonly driver: RuntimeDriver,
  ) {}

  /**
   * Throws intern_not_ready if the intern is not running, HeldElsewhere if another replica runs it, and Moving if no
   * replica runs it at present.
   */
  async find({ id, status }: InternRecord): Promise<Runtime> {
    const here = status === 'running' ? this.here(id) : undefined;
    if (here) return here;
    if (isAtRest(status)) throw chatErrors.notReady(status);
    if (this.held.of(id)) throw startingOrMoving(status);
    const { isHeld, url, isForgotten } = await this.#holderOf(id);
    const { REPLICA_URL, INTERN_LEASE_MS } = this.config.values;
    if (status === 'running' && url !== null && url !== REPLICA_URL) throw new HeldElsewhere(url);
    if (!this.driver.runs && isForgotten) throw chatErrors.noReplica();
    // For INTERN_LEASE_MS after the start of this process, the lease may belong to the previous process of this
    // replica.
    const isOfAnother = !this.driver.runs || process.uptime() * 1_000 > INTERN_LEASE_MS;
    if (isHeld && url === null && isOfAnother) throw chatErrors.noReplicaUrl();
    throw startingOrMoving(status);
  }

  /** Undefined if the intern is not running on this replica. */
  here(internId: string): Runtime | undefined {
    const held = this.held.of(internId);
    return held?.lost.signal.aborted ? undefined : held?.runtime;
  }

  async #holderOf(id: string): Promise<Holder> {
    const [row] = await this.sql.query<Holder>(
      `select held as "isHeld", case when held then replica_url end as url,
         coalesce(greatest(wake_at, lease_until) < clock_timestamp() - $2 * interval '1 millisecond', true)
           as "isForgotten"
       from (select *, coalesce(lease_until > clock_timestamp(), false) as held from intern where id = $1)`,
      [id, TAKEN_WITHIN_MS],
    );
    return row ?? { isHeld: false, url: null, isForgotten: false };
  }
}

const startingOrMoving = (status: InternStatus): Error =>
  status === 'running' ? new Moving() : chatErrors.notReady(status);
