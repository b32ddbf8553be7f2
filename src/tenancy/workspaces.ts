import { EntityManager, LockMode, UniqueConstraintViolationException, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { containing } from '../database/containing.js';
import { sessionOf, type InChange, type InTransaction } from '../database/session-of.js';
import type { SqlSession } from '../database/sql.js';
import { Workspace } from '../database/entities/workspace.entity.js';
import { workspacesOf, type Reach } from '../kernel/access/reach.js';
import { Clock } from '../kernel/clock.js';
import { invalidRequest } from '../kernel/errors/errors.js';
import { isUuid, newId } from '../kernel/ids.js';
import type { Page, Paged } from '../kernel/page.js';
import { WorkspaceContents } from './workspace-contents.js';

/** The settings in a workspace's own record. */
export type WorkspaceSettings = Pick<
  Workspace,
  | 'name'
  | 'slug'
  | 'description'
  | 'defaultTextModel'
  | 'defaultImageModel'
  | 'defaultProviderSort'
  | 'ioLoggingEnabled'
  | 'broadcastEnabled'
  | 'dataDiscountLoggingEnabled'
  | 'ioLoggingSamplingRate'
  | 'ioLoggingKeyNos'
>;

/** The changes of a workspace, including the settings that are a separate resource. */
export type WorkspaceChanges = Partial<WorkspaceSettings & Pick<Workspace, 'defaultMaxOutputTokens' | 'callLimits'>>;

type NewWorkspace = Partial<WorkspaceSettings> & Pick<Workspace, 'name' | 'slug' | 'accountId' | 'createdBy'>;

/** The workspaces of an account that a caller may read or change. */
type WorkspaceReach = Pick<Reach, 'accountId' | 'only'>;

/** The workspaces of accounts. Only `numbersOf` and `named` find deleted workspaces. */
@Injectable()
export class Workspaces {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly contents: WorkspaceContents,
  ) {}

  async find(reach: WorkspaceReach, id: string): Promise<Workspace | null> {
    return this.em.fork().findOne(Workspace, { $and: [within(reach), { id }] });
  }

  /** Returns the default workspace if `id` is undefined. */
  async findOrDefault(reach: WorkspaceReach, id: string | undefined): Promise<Workspace | null> {
    return this.em
      .fork()
      .findOne(Workspace, { $and: [within(reach), id === undefined ? { isDefault: true } : { id }] });
  }

  /** Finds a workspace by id or by slug. */
  async findNamed(reach: WorkspaceReach, name: string): Promise<Workspace | null> {
    const where = namedIn(reach, name);
    return where ? this.em.fork().findOne(Workspace, where) : null;
  }

  async defaultOf(accountId: string): Promise<Workspace> {
    return this.em.fork().findOneOrFail(Workspace, { accountId, isDefault: true });
  }

  /** Oldest first. */
  async list(accountId?: string): Promise<Workspace[]> {
    return this.em
      .fork()
      .find(Workspace, { ...(accountId ? { accountId } : {}), deletedAt: null }, { orderBy: { no: 'asc' } });
  }

  /** Oldest first, so the default workspace is first. */
  async page(reach: WorkspaceReach, page: Page): Promise<Paged<Workspace>> {
    const [items, total] = await this.em
      .fork()
      .findAndCount(Workspace, within(reach), { orderBy: { no: 'asc' }, offset: page.offset, limit: page.limit });
    return { items, total };
  }

  /** The ids of all workspaces by row number, including deleted ones, because usage records refer to row numbers. */
  async numbersOf(accountId: string): Promise<Map<number, string>> {
    const all = await this.em.fork().find(Workspace, { accountId }, { fields: ['id', 'no'] });
    return new Map(all.map(({ no, id }) => [no, id]));
  }

  /** The workspaces of a reach that have one of the ids, including deleted ones. */
  async named({ accountId, only }: WorkspaceReach, ids: readonly string[]): Promise<Workspace[]> {
    const covered = workspacesOf({ only });
    const wanted = ids.map((id) => id.toLowerCase()).filter((id) => covered === undefined || covered.includes(id));
    return wanted.length === 0 ? [] : this.em.fork().find(Workspace, { accountId, id: { $in: wanted } });
  }

  /** The workspaces of a reach whose name or slug contains the text. */
  async search(reach: WorkspaceReach, text: string, limit: number): Promise<Workspace[]> {
    const pattern = { $ilike: containing(text) };
    const where = { $and: [within(reach), { $or: [{ name: pattern }, { slug: pattern }] }] };
    return this.em.fork().find(Workspace, where, { orderBy: { name: 'asc', no: 'asc' }, limit });
  }

  async create(workspace: NewWorkspace, inTransaction?: InTransaction<Workspace>): Promise<Workspace> {
    return this.#refusingTakenSlugs(
      () => workspace.slug,
      () =>
        this.em.fork().transactional(async (em) => {
          const created = em.create(Workspace, {
            description: null,
            ...workspace,
            id: newId(),
            isDefault: false,
            internsAllowed: true,
            createdAt: this.clock.now(),
            updatedAt: null,
          });
          await em.flush();
          await inTransaction?.(created, sessionOf(em));
          return created;
        }),
    );
  }

  /** Null if the account has no such workspace. `changesOf` receives the locked row. */
  async update(
    reach: WorkspaceReach,
    name: string,
    changesOf: (workspace: Workspace) => WorkspaceChanges,
    inTransaction: InChange<Workspace>,
  ): Promise<Workspace | null> {
    let slug = '';
    return this.#refusingTakenSlugs(
      () => slug,
      () =>
        this.em.fork().transactional(async (em) => {
          const workspace = await lock(em, reach, name);
          if (!workspace) return null;
          const before = { ...workspace };
          const changes = changesOf(workspace);
          slug = changes.slug ?? '';
          if (Object.keys(changes).length > 0) em.assign(workspace, { ...changes, updatedAt: this.clock.now() });
          await em.flush();
          await inTransaction(workspace, sessionOf(em), before);
          return workspace;
        }),
    );
  }

  /** False if the account has no such workspace. Throws if it is the default workspace, or is not empty. */
  async delete(reach: WorkspaceReach, name: string, inTransaction: InTransaction<Workspace>): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      const workspace = await lock(em, reach, name);
      if (!workspace) return false;
      if (workspace.isDefault) throw invalidRequest('The default workspace of an account cannot be deleted');
      const session = sessionOf(em);
      const left = await this.contents.leftIn(workspace.id, session);
      if (left !== '') throw invalidRequest(`The workspace is not empty. Delete first what is left in it: ${left}`);
      workspace.deletedAt = this.clock.now();
      await em.flush();
      await inTransaction(workspace, session);
      return true;
    });
  }

  /** Locks a workspace against deletion until the transaction ends. False if it is already deleted. */
  async hold(workspaceId: string, session: SqlSession): Promise<boolean> {
    return (
      (await session.query('select 1 from workspace where id = $1 and deleted_at is null for share', [workspaceId]))
        .length > 0
    );
  }

  async #refusingTakenSlugs<T>(slug: () => string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof UniqueConstraintViolationException
        ? invalidRequest(`The slug ${slug()} is used already by a workspace of this account`)
        : error;
    }
  }
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** The condition for an id or a slug; undefined for any other text. */
function namedIn(reach: WorkspaceReach, name: string): FilterQuery<Workspace> | undefined {
  if (isUuid(name)) return { $and: [within(reach), { id: name }] };
  return SLUG.test(name) ? { $and: [within(reach), { slug: name }] } : undefined;
}

/** The condition for the workspaces of a reach. */
function within(reach: WorkspaceReach): FilterQuery<Workspace> & object {
  const ids = workspacesOf(reach);
  return { accountId: reach.accountId, deletedAt: null, ...(ids && { id: { $in: [...ids] } }) };
}

async function lock(em: EntityManager, reach: WorkspaceReach, name: string): Promise<Workspace | null> {
  const where = namedIn(reach, name);
  return where ? em.findOne(Workspace, where, { lockMode: LockMode.PESSIMISTIC_WRITE }) : null;
}
