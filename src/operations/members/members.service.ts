import { Injectable } from '@nestjs/common';
import type { Paged } from '../../kernel/page.js';
import type { Principal } from '../../kernel/principal.js';
import { Accounts, type MemberUser } from '../../tenancy/accounts.js';
import type { ListMembersRequest } from './dto/members.request.dto.js';

const PAGE = 50;

/** The operations of the group. */
@Injectable()
export class MembersService {
  constructor(private readonly accounts: Accounts) {}

  async list(request: ListMembersRequest, caller: Principal): Promise<Paged<MemberUser>> {
    return this.accounts.memberPage(caller.accountId, { offset: request.offset ?? 0, limit: request.limit ?? PAGE });
  }
}
