import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { notFound } from '../kernel/errors/errors.js';
import type { Principal } from '../kernel/principal.js';

/** The account of the first start, whose keys manage what all accounts share. */
@Injectable()
export class OperatorAccount {
  /** It never changes. */
  #no: number | undefined;

  constructor(private readonly sql: Sql) {}

  /** Throws not_found for keys of other accounts: for them the operations do not exist. */
  async assertIsOf({ accountNo }: Principal): Promise<void> {
    this.#no ??= (await this.sql.query<{ no: number }>('select first_account_no() as no'))[0]?.no;
    if (accountNo !== this.#no) throw notFound('Not found');
  }
}
