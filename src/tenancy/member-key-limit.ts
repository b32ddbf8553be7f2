import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { ApiKey } from '../database/entities/api-key.entity.js';
import { coversWorkspace } from '../kernel/access/reach.js';
import { Clock } from '../kernel/clock.js';
import { forbidden } from '../kernel/errors/errors.js';
import { usdToNano, type Nano } from '../kernel/money.js';
import type { Principal } from '../kernel/principal.js';

type RaisedLimit = Pick<ApiKey, 'limitNano' | 'raiseNano' | 'raiseUntil'>;

/** The maximum limit that members may give their own keys (MEMBER_KEY_LIMIT). */
@Injectable()
export class MemberKeyLimit {
  readonly #most: Nano | null;

  constructor(
    { values }: Config,
    private readonly clock: Clock,
  ) {
    this.#most = values.MEMBER_KEY_LIMIT === undefined ? null : usdToNano(values.MEMBER_KEY_LIMIT);
  }

  /**
   * Returns the limit that the key gets. `wanted`: the requested limit; null = unlimited, undefined = the maximum.
   * Throws a 403 if `wanted` is above the maximum. No maximum applies to a caller whose role covers every workspace, or
   * who administers the workspace of the key (`workspaceId`).
   */
  limitFor(wanted: Nano | null | undefined, caller: Principal, workspaceId?: string): Nano | null {
    const isBound = caller.memberships && (workspaceId === undefined || !coversWorkspace(caller, workspaceId));
    const most = isBound ? this.#most : null;
    if (wanted === undefined) return most;
    if (most !== null && (wanted === null || wanted > most))
      throw forbidden(`limit: the role ${caller.role} may give a key at most MEMBER_KEY_LIMIT, including a raise`);
    return wanted;
  }

  /** Throws a 403 if the limit of the key, including a raise that has not ended, is above the maximum. */
  assertWithin({ limitNano, raiseNano, raiseUntil }: RaisedLimit, caller: Principal, workspaceId?: string): void {
    const isRaised = limitNano !== null && raiseUntil !== null && raiseUntil > this.clock.now();
    this.limitFor(isRaised ? limitNano + raiseNano : limitNano, caller, workspaceId);
  }
}
