import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Workspace } from '../database/workspace.entity.js';
import { Clock } from '../kernel/clock.js';
import { conflict } from '../kernel/errors.js';
import { newId } from '../kernel/ids.js';

export interface NewWorkspace {
  readonly accountId: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly createdBy: string | null;
}

/** The workspaces of accounts. Every read names the account: another's workspace does not exist for it. */
@Injectable()
export class Workspaces {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async find(accountId: string, id: string): Promise<Workspace | null> {
    return this.em.fork().findOne(Workspace, { accountId, id });
  }

  async defaultOf(accountId: string): Promise<Workspace> {
    return this.em.fork().findOneOrFail(Workspace, { accountId, isDefault: true });
  }

  async list(accountId?: string): Promise<Workspace[]> {
    return this.em.fork().find(Workspace, accountId ? { accountId } : {}, { orderBy: { no: 'asc' } });
  }

  async create(workspace: NewWorkspace): Promise<Workspace> {
    const em = this.em.fork();
    if ((await em.count(Workspace, { accountId: workspace.accountId, slug: workspace.slug })) > 0) {
      throw conflict(`The workspace slug ${workspace.slug} is used already in this account`);
    }
    const created = em.create(Workspace, { ...workspace, id: newId(), isDefault: false, internsAllowed: true, createdAt: this.clock.now(), updatedAt: null } as unknown as Workspace);
    await em.flush();
    return created;
  }
}
