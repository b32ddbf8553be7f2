import { Module } from '@nestjs/common';
import { DataKeys } from './envelope/data-keys.js';
import { KeyRing } from './envelope/key-ring.js';
import { SecretBox } from './secret-box.js';

/** Seals and opens secrets. */
@Module({ providers: [KeyRing, DataKeys, SecretBox], exports: [SecretBox] })
export class SecretsModule {}
