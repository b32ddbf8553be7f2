import { Migration0001Accounts } from './migration-0001-accounts.js';
import { Migration0002Ledger } from './migration-0002-ledger.js';
import { Migration0003LedgerFunctions } from './migration-0003-ledger-functions.js';
import { Migration0004Secrets } from './migration-0004-secrets.js';
import { Migration0005LedgerWindows } from './migration-0005-ledger-windows.js';
import { Migration0006AccountResources } from './migration-0006-account-resources.js';
import { Migration0007Audit } from './migration-0007-audit.js';
import { Migration0008Interns } from './migration-0008-interns.js';
import { Migration0009Byok } from './migration-0009-byok.js';
import { Migration0010Catalogue } from './migration-0010-catalogue.js';
import { Migration0011UsageFeed } from './migration-0011-usage-feed.js';
import { Migration0012Egress } from './migration-0012-egress.js';
import { Migration0013Files } from './migration-0013-files.js';
import { Migration0014LedgerPlans } from './migration-0014-ledger-plans.js';
import { Migration0015LeanUsage } from './migration-0015-lean-usage.js';
import { Migration0016LedgerQuickWays } from './migration-0016-ledger-quick-ways.js';
import { Migration0017LedgerSingleCalls } from './migration-0017-ledger-single-calls.js';
import { Migration0018OpenReservations } from './migration-0018-open-reservations.js';

/** Every migration in order. They only ever go forward; a landed one is never edited. */
export const MIGRATIONS = [
  { name: '0001-accounts', class: Migration0001Accounts },
  { name: '0002-ledger', class: Migration0002Ledger },
  { name: '0003-ledger-functions', class: Migration0003LedgerFunctions },
  { name: '0004-secrets', class: Migration0004Secrets },
  { name: '0005-ledger-windows', class: Migration0005LedgerWindows },
  { name: '0006-account-resources', class: Migration0006AccountResources },
  { name: '0007-audit', class: Migration0007Audit },
  { name: '0008-interns', class: Migration0008Interns },
  { name: '0009-byok', class: Migration0009Byok },
  { name: '0010-catalogue', class: Migration0010Catalogue },
  { name: '0011-usage-feed', class: Migration0011UsageFeed },
  { name: '0012-egress', class: Migration0012Egress },
  { name: '0013-files', class: Migration0013Files },
  { name: '0014-ledger-plans', class: Migration0014LedgerPlans },
  { name: '0015-lean-usage', class: Migration0015LeanUsage },
  { name: '0016-ledger-quick-ways', class: Migration0016LedgerQuickWays },
  { name: '0017-ledger-single-calls', class: Migration0017LedgerSingleCalls },
  { name: '0018-open-reservations', class: Migration0018OpenReservations },
];
