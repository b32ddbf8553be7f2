import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { InternTurns } from './intern-turns.js';
import { HeldInterns, type HeldIntern } from './work/held-interns.js';
import { Provisioner } from './work/provisioner.js';

const CHECK_EVERY_MS = 20;

/** Releases the interns of this replica when its shutdown starts, so that other replicas can run them. */
@Injectable()
export class InternHandOver {
  constructor(
    private readonly provisioner: Provisioner,
    private readonly held: HeldInterns,
    private readonly turns: InternTurns,
  ) {}

  /**
   * Stops polling the queue, and releases each intern immediately, or when its turn has ended. Without this, no replica
   * could run the interns until the last open request of this replica has ended.
   */
  async run(): Promise<void> {
    await this.provisioner.stopPolling();
    await Promise.all(this.held.all().map((intern) => this.#release(intern)));
  }

  async #release(intern: HeldIntern): Promise<void> {
    const { internId } = intern.job;
    while (this.turns.isWorking(internId) && this.held.of(internId) === intern) await sleep(CHECK_EVERY_MS);
    intern.lost.abort();
  }
}
