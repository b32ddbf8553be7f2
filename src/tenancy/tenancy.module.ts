import { Module } from '@nestjs/common';
import { Accounts } from './accounts.js';
import { Workspaces } from './workspaces.js';

/** Who belongs where: accounts, users, workspaces, programme membership. */
@Module({ providers: [Accounts, Workspaces], exports: [Accounts, Workspaces] })
export class TenancyModule {}
