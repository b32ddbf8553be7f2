import type { components } from './schema';

type Schemas = components['schemas'];

export type AnalyticsQuery = Schemas['AnalyticsQueryRequest'];
export type AuthCodeRequest = Schemas['CreateAuthCodeRequest'];
export type AuditEntry = Schemas['AuditEntryRecord'];
export type BudgetBalance = Schemas['BudgetBalanceRecord'];
export type BudgetRecord = Schemas['BudgetRecord'];
export type ByokRecord = Schemas['ByokRecord'];
export type ChannelModels = Schemas['ChannelModelsResponse'];
export type ChannelRecord = Schemas['ChannelRecord'];
export type ChannelTest = Schemas['ChannelTestResponse'];
export type ChannelSettings = Omit<Schemas['UpdateChannelRequest'], 'key' | 'secret_headers' | 'disabled'>;
export type DeliveryRecord = Schemas['DeliveryRecord'];
export type EndUserRecord = Schemas['EndUserRecord'];
export type FormerSecret = Schemas['FormerSecretRecord'];
export type FileRecord = Schemas['FileRecord'];
export type CallLimits = Schemas['CallLimitsRecord'];
export type CallLimitSettings = Pick<
  Schemas['KeySettingsRecord'],
  'tokens_per_minute' | 'max_concurrent' | 'models' | 'each_end_user'
>;
export type CallDetails = Schemas['GenerationDetails'];
export type HealthRecord = Schemas['HealthRecord'];
export type InternRecord = Schemas['InternResponse'];
export type InternSession = Schemas['SessionListResponse']['data'][number];
export type InternSettings = Schemas['InternSettingsRecord'];
export type ConsoleSessionEntry = Schemas['ListedSessionRecord'];
export type FederationPolicy = Schemas['FederationPolicyRecord'];
export type Identity = Schemas['ConsoleIdentityRecord'];
export type Invitation = Schemas['InvitationRecord'];
export type KeyRecord = Schemas['KeyRecord'];
export type KeySettings = Schemas['KeySettingsRecord'];
export type KeySummary = Schemas['KeySummary'];
export type LedgerEntry = Schemas['LedgerEntryRecord'];
export type ListedCall = Schemas['GenerationListItem'];
export type Member = Schemas['MemberRecord'];
export type ModelAlias = Schemas['ModelAliasRecord'];
export type ModelRecord = Schemas['ModelRecord'];
export type ModelEndpoint = Schemas['ModelEndpoint'];
export type DiscoveredModels = Schemas['DiscoveredModelsResponse'];
export type OwnModel = Schemas['OwnModelRecord'];
export type OwnModelRequest = Schemas['SetOwnModelRequest'];
export type OwnPricing = Schemas['OwnPricingRequest'];
export type OwnProvider = Schemas['OwnProviderRecord'];
export type IdentityProviderStatus = Schemas['IdentityProviderStatus'];
export type RefusedSignIn = Schemas['RefusedSignIn'];
export type SecretRecord = Schemas['SecretResponse'];
export type Session = Schemas['ConsoleSessionData'];
export type WebhookRecord = Schemas['WebhookRecord'];
export type WorkspaceMember = Schemas['WorkspaceMemberRecord'];
export type WorkspaceRecord = Schemas['WorkspaceRecord'];
export type WorkspaceSettings = Schemas['WorkspaceSettingsRecord'];
