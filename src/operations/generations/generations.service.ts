import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../../auth/api-keys.js';
import { Catalogue } from '../../catalogue/catalogue.js';
import { ChannelDirectory } from '../../channels/channel-directory.js';
import type { CredentialName } from '../../channels/platform-credential-rows.js';
import { DEFAULT_PAGE_ITEMS } from '../../http/validation/cursor-page.request.dto.js';
import { permissionsOf } from '../../kernel/access/reach.js';
import { notFound } from '../../kernel/errors/errors.js';
import { parseGenerationId } from '../../kernel/ids.js';
import type { Principal } from '../../kernel/principal.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import { CallLists, type CallPage } from '../../usage/call-lists.js';
import { attemptsOf } from '../../usage/generation-detail.js';
import { Generations, type Generation } from '../../usage/generations.js';
import type { ListGenerationsRequest } from './dto/generations.request.dto.js';

/** Maps row numbers, slugs and ids in records to values in the API: hashes of keys, ids of workspaces, and names. */
export interface Names {
  readonly keys: ReadonlyMap<number, string>;
  readonly workspaces: ReadonlyMap<number, string>;
  readonly providerName: (slug: string) => string;
  /** The names of the attempts' credentials, by id; undefined = the caller may not read them. */
  readonly credentials?: ReadonlyMap<string, CredentialName>;
}

/**
 * Implements the operations of this API group. A management key can read the calls within its reach; any other key can
 * read its own calls.
 */
@Injectable()
export class GenerationsService {
  constructor(
    private readonly lists: CallLists,
    private readonly generations: Generations,
    private readonly keys: ApiKeys,
    private readonly workspaces: Workspaces,
    private readonly catalogue: Catalogue,
    private readonly channels: ChannelDirectory,
  ) {}

  async list(
    request: ListGenerationsRequest,
    caller: Principal,
    signal: AbortSignal,
  ): Promise<{ readonly page: CallPage; readonly names: Names }> {
    const { model, provider, kind, status, start, end, cursor } = request;
    const workspaces = await this.workspaces.numbersOf(caller.accountId);
    const page = await this.lists.page(
      {
        keyNos: await this.#keyNosOf(request, caller),
        workspaceNo: await this.#workspaceNoOf(request.workspace_id, caller),
        // Records contain our ids. A published name is replaced by the id of the model that a call with this name uses.
        model: model === undefined ? undefined : (this.catalogue.snapshot.idOf(model) ?? model),
        provider,
        kind,
        status,
        isError: request.error,
        externalUser: request.user,
        sessionId: request.session_id,
        start,
        end,
        cursor,
        limit: request.limit ?? DEFAULT_PAGE_ITEMS,
      },
      caller.accountNo,
      signal,
    );
    const keyNos = page.calls.map(({ key_no: no }) => no);
    const keys = await this.keys.hashesOf(caller.accountId, keyNos);
    return { page, names: { keys, workspaces, providerName: this.#providerName } };
  }

  async find(
    publicId: string,
    caller: Principal,
  ): Promise<{ readonly generation: Generation; readonly names: Pick<Names, 'workspaces' | 'providerName'> }> {
    const id = parseGenerationId(publicId);
    const generation = id && (await this.generations.find(id, caller.accountNo));
    if (!generation || !(await this.keys.coverCallsOf(caller, generation.key_no)))
      throw notFound('No generation has this id');
    const workspaces = await this.workspaces.numbersOf(caller.accountId);
    return { generation, names: { workspaces, providerName: this.#providerName } };
  }

  /** Like `find`, with the hash of the key and the names of the attempts' credentials. */
  async details(
    publicId: string,
    caller: Principal,
  ): Promise<{ readonly generation: Generation; readonly names: Names }> {
    const { generation, names } = await this.find(publicId, caller);
    const keys = await this.keys.hashesOf(caller.accountId, [generation.key_no]);
    const credentials = maySeeChannels(caller) ? await this.channels.namesOf(credentialsOf(generation)) : undefined;
    return { generation, names: { ...names, keys, credentials } };
  }

  readonly #providerName = (slug: string): string => this.catalogue.providerName(slug);

  /** Throws the same 404 for a workspace outside the caller's reach as for an unknown workspace. */
  async #workspaceNoOf(id: string | undefined, caller: Principal): Promise<number | undefined> {
    if (id === undefined) return undefined;
    const [workspace] = await this.workspaces.named(caller, [id]);
    if (!workspace) throw notFound('No workspace has this id');
    return workspace.no;
  }

  /** Undefined = any key of the account. */
  async #keyNosOf(
    { api_key_hash: hash, user_id: creatorUserId }: ListGenerationsRequest,
    caller: Principal,
  ): Promise<readonly number[] | undefined> {
    const isManagement = caller.keyClass === 'management';
    if (hash === undefined && creatorUserId === undefined && !caller.only)
      return isManagement ? undefined : [caller.keyNo];
    const found = (await this.keys.everMade(caller, { hash, creatorUserId })).map(({ no }) => no);
    const visible = isManagement ? found : found.filter((no) => no === caller.keyNo);
    if (hash !== undefined && visible.length === 0) throw notFound('No API key has this hash');
    return visible;
  }
}

/** Whether the caller may read platform credentials. The routes of these credentials have the same rule. */
const maySeeChannels = (caller: Principal): boolean =>
  caller.isOperator === true && permissionsOf(caller, false).includes('channels.read');

const credentialsOf = ({ detail }: Generation): string[] =>
  (attemptsOf(detail) ?? []).flatMap(({ credential }) =>
    credential ? [credential.id, ...(credential.passed_over ?? []).map(({ id }) => id)] : [],
  );
