import type { components } from './schema';

type Schemas = components['schemas'];

export type AnalyticsQuery = Schemas['AnalyticsQueryRequest'];
export type AuditEntry = Schemas['AuditEntryRecord'];
export type ByokRecord = Schemas['ByokRecord'];
export type EndUserRecord = Schemas['EndUserRecord'];
export type FileRecord = Schemas['FileRecord'];
export type CallDetails = Schemas['GenerationDetails'];
export type InternRecord = Schemas['InternResponse'];
export type InternSession = Schemas['SessionListResponse']['data'][number];
export type InternSettings = Schemas['InternSettingsRecord'];
export type KeyRecord = Schemas['KeyRecord'];
export type KeySettings = Schemas['KeySettingsRecord'];
export type LedgerEntry = Schemas['LedgerEntryRecord'];
export type ListedCall = Schemas['GenerationListItem'];
export type Member = Schemas['MemberRecord'];
export type ModelRecord = Schemas['ModelRecord'];
export type ModelEndpoint = Schemas['ModelEndpoint'];
export type SecretRecord = Schemas['SecretResponse'];
export type Session = Schemas['ConsoleSessionData'];
export type WorkspaceRecord = Schemas['WorkspaceRecord'];
