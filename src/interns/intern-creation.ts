import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Sql, type SqlSession } from '../database/sql.js';
import { backoffMs } from '../kernel/scheduling/backoff.js';
import type { GatewayError } from '../kernel/errors/errors.js';
import { Vaults } from '../vaults/vaults.js';
import { CreationClaims, CreationRunning, type Claim } from './creation-claims.js';
import { InternAdmission } from './intern-admission.js';
import { internErrors } from './intern.errors.js';
import type { Actor, InternRecord, NewIntern } from './intern-record.js';
import { isNameTaken } from './intern-rows.js';
import { Interns } from './interns.js';

/** The shortest and the longest pause before a duplicate request checks again whether the first one has completed. */
const MIN_POLL_PAUSE_MS = 50;
const MAX_POLL_PAUSE_MS = 400;

/**
 * Longer than the route's deadline of 10 s. A step that waits for another transaction therefore ends with 408, not with
 * the error of an unavailable database.
 */
const STEP_TIMEOUT_MS = 12_000;

/** The steps of a creation, in order. */
export const CREATION_STEPS = ['claim', 'row', 'vault', 'queue'] as const;

export type CreationStep = (typeof CREATION_STEPS)[number];

/** Called after each committed step. Fault tests replace it to end the process, or to throw. */
@Injectable()
export class CreationWitness {
  async after(_step: CreationStep): Promise<void> {}
}

export interface Creation {
  readonly intern: InternRecord;
  /** False if the same request had already been completed. */
  readonly isNew: boolean;
}

/**
 * POST /interns as a saga: claim the idempotency key → row → private vault → queue. Each step is one transaction that
 * locks the claim and can be repeated. If the process ends between two steps, the same request completes the creation.
 */
@Injectable()
export class InternCreation {
  constructor(
    private readonly sql: Sql,
    private readonly claims: CreationClaims,
    private readonly admission: InternAdmission,
    private readonly interns: Interns,
    private readonly vaults: Vaults,
    private readonly witness: CreationWitness,
  ) {}

  /**
   * `waitUntil`: the time, on the clock of performance.now(), until which a duplicate request waits for the first one.
   */
  async create(
    actor: Actor,
    request: NewIntern,
    idempotencyKey: string | undefined,
    waitUntil: number,
  ): Promise<Creation> {
    if (!this.vaults.available)
      throw internErrors.configuration(
        'Interns cannot be created: this service has no usable master key for their vaults',
      );
    for (let polls = 1; ; polls++) {
      try {
        return await this.#attempt(actor, request, idempotencyKey);
      } catch (error) {
        if (!(error instanceof CreationRunning)) throw error;
      }
      const pauseMs = backoffMs(polls, MIN_POLL_PAUSE_MS, MAX_POLL_PAUSE_MS);
      if (performance.now() + pauseMs > waitUntil) throw internErrors.inProgress();
      await sleep(pauseMs);
    }
  }

  /** Replays, completes or starts the creation. Throws CreationRunning while another request works on it. */
  async #attempt(actor: Actor, request: NewIntern, idempotencyKey: string | undefined): Promise<Creation> {
    const claim = await this.claims.take(actor, request, idempotencyKey);
    if ('replayOf' in claim) return { intern: await this.interns.get(actor, claim.replayOf), isNew: false };
    await this.witness.after('claim');
    await this.#insertRow(claim, request);
    try {
      await this.witness.after('row');
      await this.#step(claim, (session) => this.vaults.ensureOfIntern(session, claim.internId));
      await this.witness.after('vault');
      await this.claims.complete(claim);
      await this.witness.after('queue');
      return { intern: await this.interns.get(actor, claim.internId), isNew: true };
    } catch (error) {
      if (error instanceof CreationRunning) throw error;
      await this.#release(claim);
      throw internErrors.upstreamUnavailable(error);
    }
  }

  async #insertRow(claim: Claim, request: NewIntern): Promise<void> {
    let refusal: GatewayError | undefined;
    try {
      refusal = await this.#step(claim, (session) => this.#admit(session, claim, request));
    } catch (error) {
      // A concurrent rename can take the name after the check. The unique constraint then refuses the insert.
      if (!isNameTaken(error)) {
        await this.#release(claim);
        throw error;
      }
      await this.sql.transaction((session) => this.claims.withdraw(session, claim));
      throw internErrors.nameTaken(request.name);
    }
    if (refusal) throw refusal;
  }

  async #admit(session: SqlSession, claim: Claim, request: NewIntern): Promise<GatewayError | undefined> {
    const existing = await session.query('select 1 from intern where id = $1', [claim.internId]);
    if (existing.length > 0) return undefined;
    const refusal = await this.admission.admit(session, claim.internId, claim.actor, request);
    if (refusal) await this.claims.withdraw(session, claim);
    return refusal;
  }

  #step<T>(claim: Claim, work: (session: SqlSession) => Promise<T>): Promise<T> {
    return this.sql.transaction(
      async (session) => {
        await this.claims.hold(session, claim);
        return work(session);
      },
      { timeoutMs: STEP_TIMEOUT_MS },
    );
  }

  #release(claim: Claim): Promise<void> {
    return this.claims.release(claim).catch(() => undefined);
  }
}
