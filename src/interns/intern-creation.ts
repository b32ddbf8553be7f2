import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { GatewayError } from '../kernel/errors.js';
import { Vaults } from '../vaults/vaults.js';
import { fingerprintOf, keyHashOf, type NewIntern } from './canonical-request.js';
import { CreationClaims, type Claim } from './creation-claims.js';
import { CreationWitness } from './creation-witness.js';
import { internErrors } from './intern.errors.js';
import { INTERN_COLUMNS, type Actor, type InternRecord } from './intern-record.js';
import { isNameTaken } from './name-taken.js';
import { NewInternRow } from './new-intern-row.js';

export interface Creation {
  readonly intern: InternRecord;
  /** False where the same request had been completed before. */
  readonly isNew: boolean;
}

/**
 * POST /interns as a saga: claim the idempotency key → row → private vault → queue. Each step is one transaction that holds the
 * claim and can be repeated, so whatever dies between two of them, the same request finishes the work.
 */
@Injectable()
export class InternCreation {
  constructor(
    private readonly sql: Sql,
    private readonly claims: CreationClaims,
    private readonly rows: NewInternRow,
    private readonly vaults: Vaults,
    private readonly witness: CreationWitness,
  ) {}

  async create(actor: Actor, request: NewIntern, idempotencyKey: string | undefined): Promise<Creation> {
    if (!this.vaults.available)
      throw internErrors.configuration(
        'Interns cannot be created: this service has no usable master key for their vaults',
      );
    const fingerprint = fingerprintOf(request);
    const claim = await this.claims.take(actor, keyHashOf(idempotencyKey, fingerprint), fingerprint);
    if ('replayOf' in claim) return { intern: await this.#find(claim.replayOf), isNew: false };
    await this.witness.after('claim');
    await this.#makeRow(claim, request);
    try {
      await this.witness.after('row');
      await this.#makeVault(claim);
      await this.witness.after('vault');
      await this.claims.complete(claim);
      await this.witness.after('queue');
      return { intern: await this.#find(claim.internId), isNew: true };
    } catch (error) {
      if (isConflict(error)) throw error;
      await this.#letGo(claim);
      throw internErrors.upstreamUnavailable(error);
    }
  }

  async #makeRow(claim: Claim, request: NewIntern): Promise<void> {
    const refusal = await this.#insert(claim, request).catch(async (error: unknown) => {
      // A rename can take the name between the look and the insert: the constraint has the last word.
      if (!isNameTaken(error)) {
        await this.#letGo(claim);
        throw error;
      }
      await this.sql.transaction((session) => this.claims.withdraw(session, claim));
      return internErrors.nameTaken(request.name);
    });
    if (refusal) throw refusal;
  }

  async #insert(claim: Claim, request: NewIntern): Promise<GatewayError | undefined> {
    return this.sql.transaction(async (session) => {
      await this.claims.hold(session, claim);
      const made = await session.query('select 1 from intern where id = $1', [claim.internId]);
      if (made.length > 0) return undefined;
      const refusal = await this.rows.refusalOf(session, claim.actor, request);
      if (refusal) await this.claims.withdraw(session, claim);
      else await this.rows.insert(session, claim.internId, claim.actor, request);
      return refusal;
    });
  }

  async #makeVault(claim: Claim): Promise<void> {
    await this.sql.transaction(async (session) => {
      await this.claims.hold(session, claim);
      await this.vaults.ensureOfIntern(session, claim.internId);
    });
  }

  async #letGo(claim: Claim): Promise<void> {
    await this.claims.letGo(claim).catch(() => undefined);
  }

  async #find(id: string): Promise<InternRecord> {
    const [intern] = await this.sql.query<InternRecord>(`select ${INTERN_COLUMNS} from intern where id = $1`, [id]);
    // Deleted since, with its record: only a request that raced the deletion can see it.
    if (!intern) throw internErrors.notFound();
    return intern;
  }
}

const isConflict = (error: unknown): boolean => error instanceof GatewayError && error.kind === 'conflict';
