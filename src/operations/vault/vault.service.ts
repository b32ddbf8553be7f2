import { Injectable } from '@nestjs/common';
import { Interns } from '../../interns/interns.js';
import { notFound } from '../../kernel/errors/errors.js';
import type { Principal } from '../../kernel/principal.js';
import { SecretValue } from '../../kernel/secret-value.js';
import { EffectiveSecrets } from '../../vaults/effective-secrets.js';
import { exactHostName } from '../../vaults/host-names.js';
import type { EffectiveSecret, SecretRecord, VaultOwner } from '../../vaults/vault-owner.js';
import { VaultSecrets, type SecretPage } from '../../vaults/vault-secrets.js';
import type { ListSecretsRequest, StoreSecretRequest } from './dto/vault.request.dto.js';

/** The caller's key determines the workspace. `internId`: null = the vault of the workspace. */
@Injectable()
export class VaultService {
  constructor(
    private readonly interns: Interns,
    private readonly secrets: VaultSecrets,
    private readonly effectiveSecrets: EffectiveSecrets,
  ) {}

  async list(
    internId: string | null,
    { offset = 0, limit = 100 }: ListSecretsRequest,
    caller: Principal,
  ): Promise<SecretPage> {
    return this.secrets.list(await this.#owner(internId, caller), { offset, limit });
  }

  async store(
    internId: string | null,
    name: string,
    request: StoreSecretRequest,
    caller: Principal,
  ): Promise<SecretRecord> {
    const hosts = [...new Set(request.hosts.map((host) => exactHostName(host)!))];
    return this.secrets.store(caller, await this.#owner(internId, caller), {
      name,
      hosts,
      value: new SecretValue(request.value),
    });
  }

  async delete(internId: string | null, name: string, caller: Principal): Promise<void> {
    await this.secrets.delete(caller, await this.#owner(internId, caller), name);
  }

  async copy(internId: string, names: readonly string[], caller: Principal): Promise<readonly SecretRecord[]> {
    await this.#owner(internId, caller);
    return this.secrets.copyToIntern(caller, caller.workspaceId, internId, names);
  }

  async effective(internId: string, caller: Principal): Promise<readonly EffectiveSecret[]> {
    await this.#owner(internId, caller);
    return this.effectiveSecrets.list(internId);
  }

  /** With an intern's own key, `internId` null means the vault of that intern. Other vaults return 404. */
  async #owner(internId: string | null, caller: Principal): Promise<VaultOwner> {
    const { workspaceId } = caller;
    const id = internId?.toLowerCase() ?? caller.internId;
    if (id === null) return { workspaceId, internId: null };
    if (caller.internId !== null && caller.internId !== id) throw notFound('Not found');
    const intern = await this.interns.find({ workspaceId, userId: caller.creatorUserId! }, id);
    if (!intern) throw notFound('Not found');
    return { workspaceId, internId: id };
  }
}
