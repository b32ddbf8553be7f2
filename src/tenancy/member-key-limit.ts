import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { coversWorkspace } from '../kernel/access/reach.js';
import { forbidden } from '../kernel/errors/errors.js';
import { usdToNano, type Nano } from '../kernel/money.js';
import type { Principal } from '../kernel/principal.js';

/** The most that members give keys of their own as a limit (MEMBER_KEY_LIMIT). */
@Injectable()
export class MemberKeyLimit {
  readonly #most: Nano | null;

  constructor({ values }: Config) {
    this.#most = values.MEMBER_KEY_LIMIT === undefined ? null : usdToNano(values.MEMBER_KEY_LIMIT);
  }

  /**
   * The limit of a key that the caller asks for; null = unlimited, and absent = the most. Throws a 403 above it. There
   * is no bound in a workspace that the caller administers; `workspaceId`: of the key.
   */
  limitFor(wanted: Nano | null | undefined, caller: Principal, workspaceId?: string): Nano | null {
    const isBound = caller.memberships && (workspaceId === undefined || !coversWorkspace(caller, workspaceId));
    const most = isBound ? this.#most : null;
    if (wanted === undefined) return most;
    if (most !== null && (wanted === null || wanted > most))
      throw forbidden(`limit: the role ${caller.role} may give a key at most MEMBER_KEY_LIMIT`);
    return wanted;
  }
}
