import type { MigrationObject } from '@mikro-orm/core';
import { Migration0038Baseline } from './migration-0038-baseline-by-account.js';
import { Migration0039Members } from './migration-0039-members.js';
import { Migration0040AuditedRoles } from './migration-0040-audited-roles.js';
import { Migration0041Identities } from './migration-0041-identities.js';
import { Migration0042Applications } from './migration-0042-applications.js';
import { Migration0043Budgets } from './migration-0043-budgets.js';
import { Migration0045Alerts } from './migration-0045-alerts.js';
import { Migration0046CallLimits } from './migration-0046-call-limits.js';
import { Migration0048ModelAliasFallbacks } from './migration-0048-model-alias-fallbacks.js';
import { Migration0049Channels } from './migration-0049-channels.js';
import { Migration0050OwnProviders } from './migration-0050-own-providers.js';
import { Migration0051SessionsAndTags } from './migration-0051-sessions-and-tags.js';
import { Migration0052EnvironmentCredentialStates } from './migration-0052-environment-credential-states.js';
import { Migration0053AccountCredentials } from './migration-0053-account-credentials.js';
import { Migration0054UnpostedBudgets } from './migration-0054-unposted-budgets.js';
import { Migration0056KeyRaises } from './migration-0056-key-raises.js';
import { Migration0057AuditedSettings } from './migration-0057-audited-settings.js';
import { Migration0058KeyList } from './migration-0058-key-list.js';
import { Migration0059ClickHouseFeed } from './migration-0059-clickhouse-feed.js';
import { Migration0060LedgerJournal } from './migration-0060-ledger-journal.js';

/**
 * All migrations in order, the baseline first. There are no down migrations, and a released migration is never edited.
 * Numbers continue after the migrations that the baseline replaced.
 */
export const MIGRATIONS: MigrationObject[] = [
  { name: '0038-baseline-by-account', class: Migration0038Baseline },
  { name: '0039-members', class: Migration0039Members },
  { name: '0040-audited-roles', class: Migration0040AuditedRoles },
  { name: '0041-identities', class: Migration0041Identities },
  { name: '0042-applications', class: Migration0042Applications },
  { name: '0043-budgets', class: Migration0043Budgets },
  { name: '0045-alerts', class: Migration0045Alerts },
  { name: '0046-call-limits', class: Migration0046CallLimits },
  { name: '0048-model-alias-fallbacks', class: Migration0048ModelAliasFallbacks },
  { name: '0049-channels', class: Migration0049Channels },
  { name: '0050-own-providers', class: Migration0050OwnProviders },
  { name: '0051-sessions-and-tags', class: Migration0051SessionsAndTags },
  { name: '0052-environment-credential-states', class: Migration0052EnvironmentCredentialStates },
  { name: '0053-account-credentials', class: Migration0053AccountCredentials },
  { name: '0054-unposted-budgets', class: Migration0054UnpostedBudgets },
  { name: '0056-key-raises', class: Migration0056KeyRaises },
  { name: '0057-audited-settings', class: Migration0057AuditedSettings },
  { name: '0058-key-list', class: Migration0058KeyList },
  { name: '0059-clickhouse-feed', class: Migration0059ClickHouseFeed },
  { name: '0060-ledger-journal', class: Migration0060LedgerJournal },
];
