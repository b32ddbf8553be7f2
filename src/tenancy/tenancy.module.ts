import { Module } from '@nestjs/common';
import { Accounts } from './accounts.js';
import { EndUsers } from './end-users.js';
import { InternAccess } from './intern-access.js';
import { MemberKeyLimit } from './member-key-limit.js';
import { WorkspaceContents } from './workspace-contents.js';
import { Workspaces } from './workspaces.js';

/** Accounts, users, workspaces, programme membership and end users. */
@Module({
  providers: [Accounts, InternAccess, EndUsers, MemberKeyLimit, WorkspaceContents, Workspaces],
  exports: [Accounts, InternAccess, EndUsers, MemberKeyLimit, WorkspaceContents, Workspaces],
})
export class TenancyModule {}
