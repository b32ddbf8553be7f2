import type { Command } from 'commander';
import { AuditTrail } from '../../audit/audit-trail.js';
import { invalidRequest } from '../../kernel/errors.js';
import { MasterKeyRotation } from '../../secrets/master-key-rotation.js';
import type { OpenOperator } from '../operator-session.js';
import { print } from '../output.js';
import { id } from './account-commands.js';

interface AuditOptions {
  readonly account?: string;
  readonly kind?: string;
  readonly id?: string;
  readonly key?: string;
  readonly since?: string;
  readonly limit: string;
  readonly json?: boolean;
}

/** `secrets rotate-master-key` and `audit list`. */
export function secretCommands(program: Command, open: OpenOperator): void {
  program
    .command('secrets')
    .description('the master key, which wraps everything that is sealed')
    .command('rotate-master-key')
    .description(
      'change the master key while services run; an interrupted rotation is finished by the next.\nThe embedded database keeps its key in DATA_DIR/master-key, and a new one is made there. Otherwise give the new key first, here and to every replica, as MASTER_KEY_NEXT or as the second line of MASTER_KEY_FILE.',
    )
    .option('--json', 'one JSON object a line')
    .action((options: { json?: boolean }) =>
      open(async (rooms) =>
        print([await rooms.get(MasterKeyRotation, { strict: false }).rotate()], options.json ?? false),
      ),
    );
  program
    .command('audit')
    .description('who did what, when, from where')
    .command('list')
    .description('the newest entries first')
    .option('--account <id>', 'only of this account')
    .option(
      '--kind <kind>',
      'only of this kind of thing, such as api_key, workspace, byok_credential, vault_secret, master_key',
    )
    .option('--id <id>', 'only of the thing with this id')
    .option('--key <hash>', 'only what was done with this key')
    .option('--since <time>', 'only from this time on, ISO 8601')
    .option('--limit <count>', 'at most so many, 1 to 10000', '50')
    .option('--json', 'one JSON object a line')
    .action((options: AuditOptions) =>
      open(async (rooms) => {
        const query = {
          accountId: options.account && id(options.account, '--account'),
          kind: options.kind,
          id: options.id,
          keyHash: options.key,
          since: time(options.since),
          limit: limit(options.limit),
        };
        print(await rooms.get(AuditTrail, { strict: false }).list(query), options.json ?? false);
      }),
    );
}

function time(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const at = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(at.getTime()))
    throw invalidRequest('--since must be an ISO 8601 time such as 2026-11-20 or 2026-11-20T10:00:00Z');
  return at;
}

function limit(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > 10_000)
    throw invalidRequest('--limit must be a whole number from 1 to 10000');
  return count;
}
