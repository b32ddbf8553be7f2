import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { GatewayError, invalidRequest } from '../../kernel/errors/errors.js';
import {
  END_OF_ROWS,
  FORMAT,
  FORMAT_VERSION,
  type BackupHeader,
  type BackupTrailer,
  type TableShape,
} from './backup-format.js';
import { checkIds } from './master-keys-of-backup.js';

/** Callbacks for the parts of a backup, called in order. */
interface BackupParts {
  header?(header: BackupHeader): Promise<void>;
  /** Must read `rows` to the end. Each chunk consists of whole lines of COPY. */
  table?(table: TableShape, rows: AsyncIterable<Buffer>): Promise<void>;
}

/**
 * Reads a whole backup. Throws invalid_request if the file cannot be read, is not a backup, has a format of another
 * version, is incomplete or was changed.
 */
export async function readBackup(
  file: string,
  parts: BackupParts = {},
): Promise<{ header: BackupHeader; trailer: BackupTrailer }> {
  const lines = new Lines(file);
  try {
    const header = headerOf(file, await lines.next());
    await parts.header?.(header);
    for (const table of header.tables) {
      if ((parse(await lines.next()) as { table?: unknown } | undefined)?.table !== table.name)
        throw damaged(file, `table ${table.name} is missing`);
      const rows = lines.rows();
      if (parts.table) await parts.table(table, rows);
      else for await (const _ of rows);
    }
    const sha256 = lines.digest();
    const trailer = parse(await lines.next()) as Partial<BackupTrailer> | undefined;
    if (!trailer?.rows || !trailer.sequences || trailer.sha256 !== sha256)
      throw damaged(file, 'its content does not match its checksum');
    if ((await lines.next()) !== undefined) throw damaged(file, 'there is data after its end');
    return { header, trailer: trailer as BackupTrailer };
  } catch (error) {
    throw fileFault(file, error);
  } finally {
    lines.close();
  }
}

/** Reads a decompressed file: single lines, and the rows of a table in chunks of whole lines, without parsing them. */
class Lines {
  readonly #file: string;
  readonly #unpacked = createGunzip();
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash = createHash('sha256');
  /** Decompressed bytes that have not been read yet. They begin at the start of a line. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
    // If either stream fails, the iterator of the chunks rejects.
    pipeline(createReadStream(file), this.#unpacked, () => undefined);
    this.#chunks = this.#unpacked[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Returns the next line; undefined at the end of the file. */
  async next(): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf('\n');
      if (end >= 0) return this.#take(end + 1).toString('utf8', 0, end);
      if (!(await this.#more())) {
        if (this.#rest.length > 0) throw damaged(this.#file, 'it ends in the middle of a line');
        return undefined;
      }
    }
  }

  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.#endOfRows();
      const whole = end ?? this.#rest.lastIndexOf('\n') + 1;
      if (whole > 0) yield this.#take(whole);
      if (end !== undefined) return void this.#take(END_OF_ROWS.length);
      if (!(await this.#more())) throw damaged(this.#file, 'it ends in the middle of a table');
    }
  }

  /** The SHA-256 of everything read so far. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  close(): void {
    this.#unpacked.destroy();
  }

  #endOfRows(): number | undefined {
    if (this.#rest.subarray(0, END_OF_ROWS.length).toString() === END_OF_ROWS) return 0;
    const before = this.#rest.indexOf(`\n${END_OF_ROWS}`);
    return before < 0 ? undefined : before + 1;
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done) return false;
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
    return true;
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    this.#hash.update(taken);
    return taken;
  }
}

function headerOf(file: string, text: string | undefined): BackupHeader {
  const header = parse(text) as Partial<BackupHeader> | undefined;
  if (header?.format !== FORMAT) throw invalidRequest(`${file} is not a backup of Gatehouse; nothing was changed`);
  if (header.version !== FORMAT_VERSION)
    throw invalidRequest(
      `${file} was written by a newer Gatehouse, in version ${String(header.version)} of the format: ` +
        'restore it with that version; nothing was changed',
    );
  if (![header.migrations, header.tables, header.days].every(Array.isArray))
    throw damaged(file, 'its header is not complete');
  checkIds(file, header.masterKeys);
  return header as BackupHeader;
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null') as unknown;
  } catch {
    return undefined;
  }
}

const damaged = (file: string, how: string): GatewayError =>
  invalidRequest(`${file} is damaged or cut short (${how}): use another backup; nothing was changed`);

function fileFault(file: string, error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return damaged(file, 'it ends too early');
  if (code?.startsWith('Z_')) return damaged(file, message);
  // Other errors, such as a broken database connection, are not caused by the file.
  return ['open', 'read'].includes(syscall ?? '') ? invalidRequest(`${file} cannot be read: ${message}`) : error;
}
