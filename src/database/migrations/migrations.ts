import type { MigrationObject } from '@mikro-orm/core';
import { Migration0021Baseline } from './migration-0021-baseline.js';
import { Migration0022GenerationDetail } from './migration-0022-generation-detail.js';
import { Migration0023WorkspaceSettings } from './migration-0023-workspace-settings.js';
import { Migration0024ModelAlias } from './migration-0024-model-alias.js';
import { Migration0025ResponseCache } from './migration-0025-response-cache.js';
import { Migration0026InternSettings } from './migration-0026-intern-settings.js';
import { Migration0027KeyRotation } from './migration-0027-key-rotation.js';
import { Migration0028ConsoleSession } from './migration-0028-console-session.js';
import { Migration0029UsageTotals } from './migration-0029-usage-totals.js';
import { Migration0030Events } from './migration-0030-events.js';
import { Migration0031InternReplica } from './migration-0031-intern-replica.js';
import { Migration0032GenerationContent } from './migration-0032-generation-content.js';
import { Migration0033SessionsOfRotatedKeys } from './migration-0033-sessions-of-rotated-keys.js';
import { Migration0034LedgerItems } from './migration-0034-ledger-items.js';
import { Migration0035Replica } from './migration-0035-replica.js';
import { Migration0036CreditLease } from './migration-0036-credit-lease.js';
import { Migration0037RecordsAreEntries } from './migration-0037-records-are-entries.js';

/**
 * All migrations in order, the baseline first. There are no down migrations, and a released one is never edited.
 * Numbers continue after the old chain, which the baseline replaced.
 */
export const MIGRATIONS: MigrationObject[] = [
  { name: '0021-baseline', class: Migration0021Baseline },
  { name: '0022-generation-detail', class: Migration0022GenerationDetail },
  { name: '0023-workspace-settings', class: Migration0023WorkspaceSettings },
  { name: '0024-model-alias', class: Migration0024ModelAlias },
  { name: '0025-response-cache', class: Migration0025ResponseCache },
  { name: '0026-intern-settings', class: Migration0026InternSettings },
  { name: '0027-key-rotation', class: Migration0027KeyRotation },
  { name: '0028-console-session', class: Migration0028ConsoleSession },
  { name: '0029-usage-totals', class: Migration0029UsageTotals },
  { name: '0030-events', class: Migration0030Events },
  { name: '0031-intern-replica', class: Migration0031InternReplica },
  { name: '0032-generation-content', class: Migration0032GenerationContent },
  { name: '0033-sessions-of-rotated-keys', class: Migration0033SessionsOfRotatedKeys },
  { name: '0034-ledger-items', class: Migration0034LedgerItems },
  { name: '0035-replica', class: Migration0035Replica },
  { name: '0036-credit-lease', class: Migration0036CreditLease },
  { name: '0037-records-are-entries', class: Migration0037RecordsAreEntries },
];
