import { Controller, Get, Inject, SetMetadata } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ACCESS_METADATA } from '../../kernel/access/access-matrix.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '../../kernel/errors/errors.js';

/** Checks something that the service needs to serve requests. */
export interface ReadinessProbe {
  readonly name: string;
  isReady(): Promise<boolean>;
}

/** The injection token of the probes that /readyz runs. */
export const READINESS_PROBES = Symbol('READINESS_PROBES');

/** A probe that takes longer counts as failed, so that /readyz responds within 2 s. */
const PROBE_TIMEOUT_MS = 1_000;

/**
 * Reports whether the process is alive, and whether it can serve requests. The routes are public and outside the API's
 * base path.
 */
@ApiExcludeController()
@SetMetadata(ACCESS_METADATA, 'public')
@Controller()
export class HealthController {
  #probing: Promise<string[]> | undefined;
  #isShuttingDown = false;

  constructor(@Inject(READINESS_PROBES) private readonly probes: readonly ReadinessProbe[]) {}

  /** From now on /readyz responds with 503. */
  shutDown(): void {
    this.#isShuttingDown = true;
  }

  @Get('healthz')
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async ready(): Promise<{ status: 'ok' }> {
    if (this.#isShuttingDown) throw unavailable('Not ready: shutting down');
    // Concurrent requests share one run of the probes.
    this.#probing ??= this.#failed().finally(() => (this.#probing = undefined));
    const names = await this.#probing;
    if (names.length > 0) throw unavailable(`Not ready: ${names.join(', ')}`);
    return { status: 'ok' };
  }

  /** The names of the probes that fail. */
  async #failed(): Promise<string[]> {
    const ended = new AbortController();
    const timeout = sleep(PROBE_TIMEOUT_MS, false, { signal: ended.signal }).catch(() => false);
    const failed = this.probes.map(async (probe) =>
      (await Promise.race([probe.isReady().catch(() => false), timeout])) ? [] : [probe.name],
    );
    const names = await Promise.all(failed);
    ended.abort();
    return names.flat();
  }
}
