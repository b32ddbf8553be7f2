import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../../auth/api-keys.js';
import { Catalogue } from '../../catalogue/catalogue.js';
import { notFound } from '../../kernel/errors/errors.js';
import { parseGenerationId } from '../../kernel/ids.js';
import type { Principal } from '../../kernel/principal.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import { Generations, type Generation } from '../../usage/generations.js';

export interface FoundGeneration {
  readonly generation: Generation;
  readonly workspaceId: string | null;
  /** The display name of the provider. */
  readonly providerName: string;
}

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class GenerationService {
  constructor(
    private readonly generations: Generations,
    private readonly keys: ApiKeys,
    private readonly workspaces: Workspaces,
    private readonly catalogue: Catalogue,
  ) {}

  /** A management key can read all calls of the account; any other key can read its own. */
  async get(publicId: string, caller: Principal): Promise<FoundGeneration> {
    const id = parseGenerationId(publicId);
    const generation = id && (await this.generations.find(id, caller.accountNo));
    if (!generation || !(await this.keys.coverCallsOf(caller, generation.key_no)))
      throw notFound('No generation has this id');
    const workspaces = await this.workspaces.numbersOf(caller.accountId);
    return {
      generation,
      workspaceId: workspaces.get(generation.workspace_no) ?? null,
      providerName: this.catalogue.providerName(generation.provider),
    };
  }
}
