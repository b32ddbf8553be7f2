import { ACCOUNTS } from './accounts.sql.js';
import { AUDIT } from './audit.sql.js';
import { CATALOGUE } from './catalogue.sql.js';
import { EGRESS } from './egress.sql.js';
import { EVENTS } from './events.sql.js';
import { FILES } from './files.sql.js';
import { INTERNS } from './interns.sql.js';
import { LEDGER } from './ledger.sql.js';
import { SECRETS } from './secrets.sql.js';
import { SESSIONS } from './sessions.sql.js';
import { USAGE } from './usage.sql.js';
import { VAULTS } from './vaults.sql.js';

/** The schema of a new database; the functions of the ledger are SQL families. */
export const BASELINE: readonly string[] = [
  ...ACCOUNTS,
  ...USAGE,
  ...LEDGER,
  ...SESSIONS,
  ...SECRETS,
  ...VAULTS,
  ...INTERNS,
  ...CATALOGUE,
  ...FILES,
  ...EGRESS,
  ...AUDIT,
  ...EVENTS,
];
