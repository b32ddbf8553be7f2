import type { Command } from 'commander';
import { AuditTrail } from '../../audit/audit-trail.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { InternAccess } from '../../tenancy/intern-access.js';
import type { OpenOperator } from '../operator-session.js';
import { print } from '../output.js';
import { id } from './option-values.js';

/** `programme admit`, `programme expel` and `workspaces set --interns`. */
export function internCommands(program: Command, open: OpenOperator): void {
  const programme = program
    .command('programme')
    .description('the interns programme: whose keys may use interns and vaults');
  for (const [word, admitted] of [
    ['admit', true],
    ['expel', false],
  ] as const) {
    programme
      .command(`${word} <user>`)
      .description(
        admitted ? 'let a user have interns' : 'refuse interns and vaults to a user (404); existing interns stay',
      )
      .option('--account <id>', 'only for this account; default: every account of the user')
      .action((user: string, options: { account?: string; json?: boolean }) =>
        open(async (rooms) => {
          const userId = id(user, '<user>');
          const accountId = options.account === undefined ? null : id(options.account, '--account');
          const audit = rooms.get(AuditTrail);
          const accounts = await rooms
            .get(InternAccess)
            .setProgramme(userId, accountId, admitted, (session) =>
              audit.record({ by: 'operator', action: 'update', kind: 'member', id: userId, accountId }, session),
            );
          print([{ user: userId, interns_programme: admitted, accounts }], options.json);
        }),
      );
  }
  const workspaces = program.commands.find((command) => command.name() === 'workspaces')!;
  workspaces
    .command('set <workspace>')
    .description('change the settings of a workspace')
    .requiredOption('--interns <on|off>', 'whether interns may be created and provisioned in it')
    .action((workspace: string, options: { interns: string; json?: boolean }) =>
      open(async (rooms) => {
        if (options.interns !== 'on' && options.interns !== 'off') throw invalidRequest('--interns must be on or off');
        const workspaceId = id(workspace, '<workspace>');
        const audit = rooms.get(AuditTrail);
        await rooms
          .get(InternAccess)
          .setWorkspace(workspaceId, options.interns === 'on', (session) =>
            audit.record({ by: 'operator', action: 'update', kind: 'workspace', id: workspaceId }, session),
          );
        print([{ workspace: workspaceId, interns: options.interns === 'on' }], options.json);
      }),
    );
}
