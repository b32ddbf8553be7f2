import type { Command } from 'commander';
import { AuditTrail } from '../../audit/audit-trail.js';
import { FileSweeper } from '../../files/file-sweeper.js';
import { FileVerification } from '../../files/file-verification.js';
import { Clock } from '../../kernel/clock.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import type { OpenOperator } from '../operator-session.js';
import { print } from '../output.js';

/** `files verify` and `files sweep`. */
export function fileCommands(program: Command, open: OpenOperator): void {
  const files = program.command('files').description('uploaded files and their bytes');
  files
    .command('verify')
    .description('read every file again and compare its hash; exits with 1 if a file is missing or damaged')
    .action(({ json }: { json?: boolean }) =>
      open(async (rooms) => {
        const { faults, ...counts } = await rooms.get(FileVerification).verify();
        if (faults.length > 0) {
          const rows = faults.map(({ file, fault }) => ({
            fault,
            file: `file-${file.id}`,
            account: file.accountId,
            workspace: file.workspaceId,
            filename: file.filename,
            size_bytes: file.sizeBytes,
          }));
          print(rows, json);
          process.exitCode = 1;
        }
        print(
          [{ files: counts.files, bytes: counts.bytes, faults: faults.length, without_record: counts.orphans }],
          json,
        );
      }),
    );
  files
    .command('sweep')
    .description('delete bytes without a record and unfinished uploads, as the service does every hour')
    .option(
      '--older-than <minutes>',
      'delete only older bytes. Use 0 only while no service runs, because it would delete uploads in ' +
        'progress. Default: FILE_SWEEP_AFTER_MS',
    )
    .action((options: { olderThan?: string; json?: boolean }) =>
      open(async (rooms) => {
        const sweeper = rooms.get(FileSweeper);
        const cutoff = cutoffOf(options.olderThan, rooms.get(Clock)) ?? sweeper.defaultCutoff();
        // Bytes cannot be deleted in a transaction, so write the audit row first.
        await rooms
          .get(AuditTrail)
          .record({ by: 'operator', action: 'sweep', kind: 'file', id: `before ${cutoff.toISOString()}` });
        const { objects, unfinished } = await sweeper.sweep(cutoff);
        print([{ files_without_record: objects, unfinished_uploads: unfinished }], options.json);
      }),
    );
}

function cutoffOf(minutes: string | undefined, clock: Clock): Date | undefined {
  if (minutes === undefined) return undefined;
  if (!/^\d{1,7}$/.test(minutes)) throw invalidRequest('--older-than must be a whole number of minutes');
  return new Date(clock.now().getTime() - Number(minutes) * 60_000);
}
