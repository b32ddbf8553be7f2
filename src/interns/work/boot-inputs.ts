import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { EgressPasses } from '../../egress/egress-passes.js';
import { EgressProxy } from '../../egress/egress-proxy.js';
import { placeholderOf } from '../../egress/placeholder.js';
import type { EgressWay, HostGrants } from '../../runtimes/runtime.driver.js';
import type { AgentProfile, SecretNotice } from '../../runtimes/turn.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import { EffectiveSecrets } from '../../vaults/effective-secrets.js';
import type { EffectiveSecret } from '../../vaults/vault-owner.js';
import { Vaults } from '../../vaults/vaults.js';
import type { Job } from '../intern-record.js';

type Profiled = Pick<Job, 'internId' | 'accountId' | 'workspaceId' | 'name' | 'description' | 'instructions' | 'model'>;

/** The inputs of a runtime: its profile (at boot and for each turn), and its access to the egress proxy. */
@Injectable()
export class BootInputs {
  constructor(
    private readonly sql: Sql,
    private readonly vaults: Vaults,
    private readonly effective: EffectiveSecrets,
    private readonly proxy: EgressProxy,
    private readonly passes: EgressPasses,
    private readonly workspaces: Workspaces,
  ) {}

  /** Creates the private vault of an intern whose creation was never completed. */
  async ensureVault(internId: string): Promise<void> {
    await this.sql.transaction((session) => this.vaults.ensureOfIntern(session, internId));
  }

  /**
   * The current profile, with the names, hosts and placeholders of the secrets. Uses the default model of the workspace
   * if the intern has no model.
   */
  async profileOf(intern: Profiled): Promise<AgentProfile> {
    const { internId, name, description, instructions } = intern;
    const [secrets, model] = await Promise.all([this.effective.list(internId), this.#modelOf(intern)]);
    return { name, description, instructions, model, secrets: secrets.map(noticeOf) };
  }

  /** Issues a pass that is valid until `closeEgress`. */
  async openEgress(internId: string): Promise<EgressWay> {
    const endpoint = await this.proxy.endpoint();
    return { ...endpoint, token: this.passes.issue(internId) };
  }

  /** Lets the intern reach further hosts, at most until `closeEgress`. */
  hostGrantsOf({ token }: EgressWay): HostGrants {
    return { allow: (host) => this.passes.allow(token, host), end: (host) => this.passes.disallow(token, host) };
  }

  closeEgress({ token }: EgressWay): void {
    this.passes.revoke(token);
  }

  async #modelOf({ model, accountId, workspaceId }: Profiled): Promise<string | null> {
    if (model !== null) return model;
    return (await this.workspaces.find({ accountId }, workspaceId))?.defaultTextModel ?? null;
  }
}

const noticeOf = ({ name, hosts }: EffectiveSecret): SecretNotice => ({
  name,
  hosts,
  placeholder: placeholderOf(name),
});
