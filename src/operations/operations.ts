import type { Type } from '@nestjs/common';
import { ActivityModule } from './activity/activity.module.js';
import { AnalyticsModule } from './analytics/analytics.module.js';
import { AuditOperationsModule } from './audit/audit.module.js';
import { BenchmarksModule } from './benchmarks/benchmarks.module.js';
import { BudgetsModule } from './budgets/budgets.module.js';
import { ByokModule } from './byok/byok.module.js';
import { ChatModule } from './chat/chat.module.js';
import { CompletionsModule } from './completions/completions.module.js';
import { ConsoleIdentitiesModule } from './console-identities/console-identities.module.js';
import { ConsoleOidcModule } from './console-oidc/console-oidc.module.js';
import { ConsoleSessionModule } from './console-session/console-session.module.js';
import { CreditsModule } from './credits/credits.module.js';
import { EmbeddingsModule } from './embeddings/embeddings.module.js';
import { EndUsersModule } from './end-users/end-users.module.js';
import { FederationPoliciesModule } from './federation-policies/federation-policies.module.js';
import { FileOperationsModule } from './files/files.module.js';
import { GenerationsModule } from './generations/generations.module.js';
import { HealthOperationsModule } from './health/health.module.js';
import { IdentityProvidersModule } from './identity-providers/identity-providers.module.js';
import { ImageModelsModule } from './image-models/image-models.module.js';
import { ImagesModule } from './images/images.module.js';
import { InternOperationsModule } from './interns/interns.module.js';
import { InvitationsModule } from './invitations/invitations.module.js';
import { KeysModule } from './keys/keys.module.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { MembersModule } from './members/members.module.js';
import { MessagesModule } from './messages/messages.module.js';
import { ModelAliasesModule } from './model-aliases/model-aliases.module.js';
import { ModelsModule } from './models/models.module.js';
import { NamesModule } from './names/names.module.js';
import { OAuthModule } from './oauth/oauth.module.js';
import { OwnProvidersModule } from './own-providers/own-providers.module.js';
import { PlatformChannelsModule } from './channels/channels.module.js';
import { ProvidersModule } from './providers/providers.module.js';
import { RerankModule } from './rerank/rerank.module.js';
import { ResponsesModule } from './responses/responses.module.js';
import { TranscriptionsModule } from './transcriptions/transcriptions.module.js';
import { TtsModule } from './tts/tts.module.js';
import { VaultModule } from './vault/vault.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WorkspaceMembersModule } from './workspace-members/workspace-members.module.js';
import { WorkspacesModule } from './workspaces/workspaces.module.js';

/**
 * The operation groups of the API, one module each. Express matches routes in this order, so the groups that call
 * models come first.
 */
export const OPERATIONS: Type[] = [
  ChatModule,
  CompletionsModule,
  EmbeddingsModule,
  ImagesModule,
  MessagesModule,
  RerankModule,
  ResponsesModule,
  TranscriptionsModule,
  TtsModule,
  ActivityModule,
  AnalyticsModule,
  AuditOperationsModule,
  BenchmarksModule,
  BudgetsModule,
  ByokModule,
  ConsoleIdentitiesModule,
  ConsoleOidcModule,
  ConsoleSessionModule,
  CreditsModule,
  EndUsersModule,
  FederationPoliciesModule,
  FileOperationsModule,
  GenerationsModule,
  HealthOperationsModule,
  IdentityProvidersModule,
  ImageModelsModule,
  InternOperationsModule,
  InvitationsModule,
  KeysModule,
  LedgerModule,
  MembersModule,
  ModelAliasesModule,
  ModelsModule,
  NamesModule,
  OAuthModule,
  OwnProvidersModule,
  PlatformChannelsModule,
  ProvidersModule,
  VaultModule,
  WebhooksModule,
  WorkspaceMembersModule,
  WorkspacesModule,
];

/** The groups that call models, which are the first in the list. Workers serve them. */
export const INFERENCE_OPERATIONS: readonly Type[] = OPERATIONS.slice(0, OPERATIONS.indexOf(TtsModule) + 1);
