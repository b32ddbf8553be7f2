import pg from 'pg';
import { readDatabaseAddress, withTarget } from '../kernel/addresses/database-address.js';
import { DatabaseStartError } from './database-start.error.js';

interface Variables {
  readonly DATABASE_URL?: string;
  readonly DATABASE_DIRECT_URL?: string;
  readonly DATABASE_READ_URL?: string;
}

/**
 * The addresses of the database. `directUrl` bypasses a pooler, for LISTEN and advisory locks. `readUrl` may connect to
 * a standby, for long reads that may be some seconds behind.
 */
export class DatabaseUrls {
  constructor(
    readonly url: string,
    readonly directUrl: string = url,
    readonly readUrl: string = url,
  ) {}

  /**
   * The addresses in the variables, or the address of the embedded server. Throws a DatabaseStartError that names an
   * invalid variable.
   */
  static of(variables: Variables, embeddedUrl?: string): DatabaseUrls {
    if (embeddedUrl !== undefined) return new DatabaseUrls(embeddedUrl);
    for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const)
      refuseUnreadable(name, variables[name]);
    const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, DATABASE_READ_URL: readUrl } = variables;
    return new DatabaseUrls(url!, directUrl, readUrl && withTarget(readUrl, 'any'));
  }

  /** Whether `url` may connect through a pooler that shares backends between transactions. */
  get isPooled(): boolean {
    return this.directUrl !== this.url;
  }

  /** Whether `readUrl` differs from `url`. */
  get hasReadUrl(): boolean {
    return this.readUrl !== this.url;
  }

  /** The name of the variable that `directUrl` comes from. */
  get directName(): string {
    return this.isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  }
}

/**
 * Throws DatabaseStartError if the driver cannot parse an address. The driver also reads files that the address names,
 * such as certificates.
 */
function refuseUnreadable(name: string, url: string | undefined): void {
  if (url === undefined) return;
  try {
    void new pg.Client({ connectionString: readDatabaseAddress(url)?.urls[0] ?? url }).host;
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    // Only the message of a failed system call is safe, because it contains no part of the address except a file name.
    throw new DatabaseStartError(
      `${name} cannot be read as the address of a PostgreSQL server ` +
        `(${syscall === undefined ? 'check its percent-encoding' : message})`,
    );
  }
}
