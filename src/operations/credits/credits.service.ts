import { Injectable } from '@nestjs/common';
import { Balances, type Credits } from '../../billing/balances.js';
import type { Principal } from '../../kernel/principal.js';

/** The operations of the group, in the order of the API. */
@Injectable()
export class CreditsService {
  constructor(private readonly balances: Balances) {}

  async get(caller: Principal): Promise<Credits> {
    return this.balances.creditsOf(caller.accountNo);
  }
}
