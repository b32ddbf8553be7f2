import type { Command } from 'commander';
import { AuditTrail } from '../../audit/audit-trail.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { MasterKeyRotation, type ForgottenKey, type Rotation } from '../../secrets/master-key-rotation.js';
import type { OpenOperator } from '../operator-session.js';
import { print } from '../output.js';
import { countOption, id, time } from './option-values.js';

interface AuditOptions {
  readonly account?: string;
  readonly kind?: string;
  readonly id?: string;
  readonly key?: string;
  readonly since?: string;
  readonly limit: string;
  readonly json?: boolean;
}

/** `secrets rotate-master-key`, `secrets forget-master-key` and `audit list`. */
export function secretCommands(program: Command, open: OpenOperator): void {
  const secrets = program.command('secrets').description('the master key, which wraps everything that is sealed');
  secrets
    .command('rotate-master-key')
    .description(
      'change the master key while services run; the next run finishes an interrupted rotation.\nThe ' +
        'embedded database keeps its keys in DATA_DIR/master-key: a new key is generated there, and the old ' +
        'one is kept for earlier backups. Otherwise give the new key first, here and to every replica, as ' +
        'MASTER_KEY_NEXT or as the next key of MASTER_KEY_FILE.',
    )
    .action((options: { json?: boolean }) =>
      open(async (rooms) => show(await rooms.get(MasterKeyRotation).rotate(), options.json)),
    );
  secrets
    .command('forget-master-key <id>')
    .description(
      'remove a retired master key from DATA_DIR/master-key; backups taken before its rotation can then ' +
        'no longer be opened.\nRefused while anything in the database needs it.',
    )
    .action((keyId: string, options: { json?: boolean }) =>
      open(async (rooms) => {
        if (!/^[0-9a-f]{16}$/.test(keyId))
          throw invalidRequest('<id> must be the id of a master key: 16 hex digits, as the key file has it');
        show(await rooms.get(MasterKeyRotation).forget(keyId), options.json);
      }),
    );
  program
    .command('audit')
    .description('audit entries: who did what, when, and from where')
    .command('list')
    .description('the newest entries first')
    .option('--account <id>', 'only of this account')
    .option(
      '--kind <kind>',
      'only for resources of this kind, such as api_key, workspace, byok_credential, vault_secret, master_key',
    )
    .option('--id <id>', 'only for the resource with this id')
    .option('--key <hash>', 'only actions with this key')
    .option('--since <time>', 'only from this time on, ISO 8601')
    .option('--limit <count>', 'at most this many, 1 to 10000', '50')
    .action((options: AuditOptions) =>
      open(async (rooms) => {
        const query = {
          accountId: options.account && id(options.account, '--account'),
          kind: options.kind,
          id: options.id,
          keyHash: options.key,
          since: options.since === undefined ? undefined : time(options.since, '--since'),
          limit: countOption(options.limit, '--limit', 10_000),
        };
        const entries = await rooms.get(AuditTrail).list(query);
        const rows = entries.map(({ no: _no, ...entry }) => entry);
        print(rows, options.json);
      }),
    );
}

/** Prints `next` separately, because its sentences are too long for a column. */
function show({ next, ...outcome }: Rotation | ForgottenKey, json?: boolean): void {
  if (json) return print([{ ...outcome, next }], json);
  print([outcome], json);
  console.error(`Next: ${next}.`);
}
