import { Account } from './account.entity.js';
import { ApiKey } from './api-key.entity.js';
import { ByokCredential } from './byok-credential.entity.js';
import { EgressAuthority } from './egress-authority.entity.js';
import { EndUser } from './end-user.entity.js';
import { InternCreationRecord } from './intern-creation.entity.js';
import { Intern } from './intern.entity.js';
import { Member } from './member.entity.js';
import { StoredFile } from './stored-file.entity.js';
import { User } from './user.entity.js';
import { VaultSecret } from './vault-secret.entity.js';
import { Vault } from './vault.entity.js';
import { Workspace } from './workspace.entity.js';

/** Every entity of the service, one per line. */
export const ENTITIES = [
  Account,
  ApiKey,
  ByokCredential,
  EgressAuthority,
  EndUser,
  Intern,
  InternCreationRecord,
  Member,
  StoredFile,
  User,
  Vault,
  VaultSecret,
  Workspace,
] as const;
