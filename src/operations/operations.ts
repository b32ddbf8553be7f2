import type { Type } from '@nestjs/common';
import { ActivityModule } from './activity/activity.module.js';
import { AnalyticsModule } from './analytics/analytics.module.js';
import { BenchmarksModule } from './benchmarks/benchmarks.module.js';
import { ByokModule } from './byok/byok.module.js';
import { CreditsModule } from './credits/credits.module.js';
import { EndUsersModule } from './end-users/end-users.module.js';
import { FileOperationsModule } from './files/files.module.js';
import { GenerationModule } from './generation/generation.module.js';
import { ImageModelsModule } from './image-models/image-models.module.js';
import { ImagesModule } from './images/images.module.js';
import { InternOperationsModule } from './interns/interns.module.js';
import { KeysModule } from './keys/keys.module.js';
import { ModelsModule } from './models/models.module.js';
import { ProvidersModule } from './providers/providers.module.js';
import { TtsModule } from './tts/tts.module.js';
import { VaultModule } from './vault/vault.module.js';
import { WorkspacesModule } from './workspaces/workspaces.module.js';

/** The table of contents of the API: one module per operation group. Routes are looked through in this order, so inference comes first. */
export const OPERATIONS: Type[] = [
  ImagesModule,
  TtsModule,
  ActivityModule,
  AnalyticsModule,
  BenchmarksModule,
  ByokModule,
  CreditsModule,
  EndUsersModule,
  FileOperationsModule,
  GenerationModule,
  ImageModelsModule,
  InternOperationsModule,
  KeysModule,
  ModelsModule,
  ProvidersModule,
  VaultModule,
  WorkspacesModule,
];
