import { Injectable } from '@nestjs/common';
import { Balances, type Credits } from '../../billing/balances.js';
import type { Principal } from '../../kernel/principal.js';

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class CreditsService {
  constructor(private readonly balances: Balances) {}

  async get(caller: Principal): Promise<Credits> {
    return this.balances.creditsOf(caller.accountNo);
  }
}
