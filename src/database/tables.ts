import { Account } from './entities/account.entity.js';
import { ApiKey } from './entities/api-key.entity.js';
import { ByokCredential } from './entities/byok-credential.entity.js';
import { EndUser } from './entities/end-user.entity.js';
import { Member } from './entities/member.entity.js';
import { StoredFile } from './entities/stored-file.entity.js';
import { User } from './entities/user.entity.js';
import { Workspace } from './entities/workspace.entity.js';

/**
 * The tables that code reads and writes through MikroORM. A test fails if SQL outside its list of exceptions uses one
 * of these tables.
 */
export const ENTITIES = [Account, ApiKey, ByokCredential, EndUser, Member, StoredFile, User, Workspace] as const;

/**
 * The tables of billing and usage: balances, reservations, and records of calls. Their primary keys, unique indexes and
 * foreign keys begin with the number of the account, except for the tables that a test lists
 * (test/system/start/money-keys.e2e-spec.ts).
 */
export const MONEY_TABLES: readonly string[] = [
  'account_balance',
  'key_balance',
  'budget_balance',
  'reservation',
  'ledger_entry',
  'ledger_journal',
  'billing_anomaly',
  'generation',
  'generation_detail',
  'generation_content',
  'usage_label',
  'usage_label_count',
  'usage_feed',
  'usage_total',
  'usage_total_position',
  'outbox',
];

/**
 * The tables that code accesses with SQL: frequently used tables, and tables with rules that entities cannot express.
 */
export const SQL_TABLES: readonly string[] = [
  ...MONEY_TABLES,
  // billing
  'budget',
  'budget_version',
  // members
  'workspace_member',
  'invitation',
  // auth
  'key_alias',
  'key_use',
  // sessions
  'console_session',
  'console_code',
  'sign_in_attempt',
  'user_identity',
  'used_token',
  // applications
  'application',
  'authorization_code',
  'federation_policy',
  'signing_key',
  // secrets
  'master_key',
  'data_key',
  'workspace_data_key',
  'account_data_key',
  // channels
  'environment_credential_state',
  'platform_credential',
  'replica',
  // vaults
  'vault',
  'vault_secret',
  'vault_secret_previous',
  // interns
  'intern',
  'intern_creation',
  // egress
  'egress_authority',
  // catalogue
  'catalogue_import',
  'catalogue_model',
  'catalogue_provider',
  'catalogue_benchmarks',
  'model_alias',
  'own_provider',
  'own_model',
  // events
  'event',
  'event_setting',
  'webhook',
  'webhook_delivery',
  'endpoint_outage',
  'export_position',
  'clickhouse_feed',
  // audit
  'audit_entry',
  // database
  'sql_family',
];
