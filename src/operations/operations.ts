import type { Type } from '@nestjs/common';
import { ActivityModule } from './activity/activity.module.js';
import { ByokModule } from './byok/byok.module.js';
import { CreditsModule } from './credits/credits.module.js';
import { EndUsersModule } from './end-users/end-users.module.js';
import { GenerationModule } from './generation/generation.module.js';
import { ImagesModule } from './images/images.module.js';
import { InternOperationsModule } from './interns/interns.module.js';
import { KeysModule } from './keys/keys.module.js';
import { ModelsModule } from './models/models.module.js';
import { TtsModule } from './tts/tts.module.js';
import { VaultModule } from './vault/vault.module.js';
import { WorkspacesModule } from './workspaces/workspaces.module.js';

/** The table of contents of the API: one module per operation group. */
export const OPERATIONS: Type[] = [
  ActivityModule,
  ByokModule,
  CreditsModule,
  EndUsersModule,
  GenerationModule,
  ImagesModule,
  InternOperationsModule,
  KeysModule,
  ModelsModule,
  TtsModule,
  VaultModule,
  WorkspacesModule,
];
