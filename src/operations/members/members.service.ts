import { Injectable } from '@nestjs/common';
import { pageIn, type MemberPageRequest } from '../../http/validation/offset-page.request.dto.js';
import { notFound } from '../../kernel/errors/errors.js';
import { isUuid } from '../../kernel/ids.js';
import type { Paged } from '../../kernel/page.js';
import type { Principal } from '../../kernel/principal.js';
import { MemberList, type ListedMember } from '../../members/member-list.js';
import { Memberships } from '../../members/memberships.js';
import type { UpdateMemberRequest } from './dto/members.request.dto.js';

@Injectable()
export class MembersService {
  constructor(
    private readonly list: MemberList,
    private readonly members: Memberships,
  ) {}

  page(request: MemberPageRequest, caller: Principal): Promise<Paged<ListedMember>> {
    return this.list.page(caller, pageIn(request));
  }

  async setRole(userId: string, { role }: UpdateMemberRequest, caller: Principal): Promise<ListedMember> {
    await this.members.setRole(caller.accountId, idOf(userId), role, 'manual', caller);
    return this.#get(userId, caller);
  }

  async deactivate(userId: string, caller: Principal): Promise<ListedMember> {
    await this.members.deactivate(caller.accountId, idOf(userId), 'manual', caller);
    return this.#get(userId, caller);
  }

  async remove(userId: string, caller: Principal): Promise<void> {
    await this.members.remove(caller.accountId, idOf(userId), caller);
  }

  async #get(userId: string, { accountId }: Principal): Promise<ListedMember> {
    const member = await this.list.find(accountId, userId);
    if (!member) throw notFound('No member of this account has this id');
    return member;
  }
}

/** Returns the id in lower case, as in the database. Throws a 404 for a text that is not a UUID. */
function idOf(text: string): string {
  if (!isUuid(text)) throw notFound('No member of this account has this id');
  return text.toLowerCase();
}
