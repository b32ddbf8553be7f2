import { Migration0001Accounts } from './migration-0001-accounts.js';
import { Migration0002Ledger } from './migration-0002-ledger.js';
import { Migration0003LedgerFunctions } from './migration-0003-ledger-functions.js';
import { Migration0004Secrets } from './migration-0004-secrets.js';

/** Every migration in order. They only ever go forward; a landed one is never edited. */
export const MIGRATIONS = [
  { name: '0001-accounts', class: Migration0001Accounts },
  { name: '0002-ledger', class: Migration0002Ledger },
  { name: '0003-ledger-functions', class: Migration0003LedgerFunctions },
  { name: '0004-secrets', class: Migration0004Secrets },
];
