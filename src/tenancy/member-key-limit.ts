import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { coversWorkspace } from '../kernel/access/reach.js';
import { forbidden } from '../kernel/errors/errors.js';
import { usdToNano, type Nano } from '../kernel/money.js';
import type { Principal } from '../kernel/principal.js';

/** The maximum limit that members may give their own keys (MEMBER_KEY_LIMIT). */
@Injectable()
export class MemberKeyLimit {
  readonly #most: Nano | null;

  constructor({ values }: Config) {
    this.#most = values.MEMBER_KEY_LIMIT === undefined ? null : usdToNano(values.MEMBER_KEY_LIMIT);
  }

  /**
   * The limit of a key that the caller requests. `wanted`: null = unlimited, absent = the maximum. Throws a 403 above
   * the maximum. In a workspace that the caller administers there is no maximum. `workspaceId`: the key's workspace.
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
