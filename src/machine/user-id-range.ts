import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { machineFolder } from './machine-folder.js';

const REGISTER = 'user-ids.sqlite';
const BUSY_TIMEOUT_MS = 10_000;
const FIRST_USER_ID = 2_000_000;
const RANGE_SIZE = 1_000_000;
/**
 * User ids from this number on are reserved, or overflow in some programs (systemd, "Users, Groups, UIDs and GIDs").
 */
const USER_ID_LIMIT = 1_879_048_192;
const MAX_RANGES = Math.floor((USER_ID_LIMIT - FIRST_USER_ID) / RANGE_SIZE);

export interface UserIdentity {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user ids of one installation. The last id is for the database; the others are for interns. An intern's group id
 * is also an id of this range: the user id plus an offset that is chosen at random for the installation. Processes
 * cannot change their user id or their group id, so the two ids together identify the installation.
 */
export class UserIdRange {
  constructor(
    readonly first: number,
    /** 1 to RANGE_SIZE - 2. */
    private readonly groupOffset: number,
  ) {}

  /** The identity for the intern with this number. */
  intern(no: number): UserIdentity {
    const place = no % (RANGE_SIZE - 1);
    return { uid: this.first + place, gid: this.first + ((place + this.groupOffset) % (RANGE_SIZE - 1)) };
  }

  get database(): UserIdentity {
    const id = this.first + RANGE_SIZE - 1;
    return { uid: id, gid: id };
  }

  has(uid: number): boolean {
    return uid >= this.first && uid < this.first + RANGE_SIZE;
  }
}

/** Whether a user id belongs to the database of an installation on this machine or on another machine. */
export const isDatabaseUserId = (uid: number): boolean =>
  uid >= FIRST_USER_ID && uid < USER_ID_LIMIT && (uid - FIRST_USER_ID) % RANGE_SIZE === RANGE_SIZE - 1;

interface RegisterOptions {
  /** The folder of the register. Default: the folder of this machine. */
  readonly folder?: string;
  /** Whether this process can start processes with the user ids of the range from `first` on. */
  readonly isUsable?: (first: number) => boolean;
}

/**
 * The user id range of the installation with this data folder, claimed on the first call. Ranges are unique on a
 * machine. Processes that share a data folder share its range. The range of a deleted folder can be claimed again. Only
 * root can use the ids. Throws if the register cannot be written, or if no range is left.
 */
export async function ownUserIdRange(
  dataDir: string,
  { folder, isUsable = isMapped }: RegisterOptions = {},
): Promise<UserIdRange> {
  const place = folder ?? (await machineFolder());
  if (place === undefined)
    throw new Error(
      'user ids are allocated in /var/lib/gatehouse or /var/tmp/gatehouse, and root can write to neither',
    );
  const owner = await realpath(dataDir);
  // SQLite's lock serialises processes. It is released if the process that holds it ends.
  const file = join(place, REGISTER);
  const register = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Only the owner of the file can take the lock.
    chmodSync(file, 0o600);
    register.exec(
      `begin immediate;
       create table if not exists user_id_range
         (no integer primary key, data_dir text not null unique, group_offset integer not null)`,
    );
    const range = find(register, owner) ?? claim(register, owner, isUsable);
    register.exec('commit');
    return range;
  } catch (error) {
    throw new Error(
      `no user ids could be allocated from the register ${file}: ` +
        (error instanceof Error ? error.message : String(error)),
      { cause: error },
    );
  } finally {
    register.close();
  }
}

interface Row {
  readonly no: number;
  readonly data_dir: string;
  readonly group_offset: number;
}

const rangeOf = ({ no, group_offset: offset }: Pick<Row, 'no' | 'group_offset'>): UserIdRange =>
  new UserIdRange(FIRST_USER_ID + no * RANGE_SIZE, offset);

function find(register: DatabaseSync, owner: string): UserIdRange | undefined {
  const row = register
    .prepare('select no, group_offset from user_id_range where data_dir = ?')
    .get(owner) as unknown as Row | undefined;
  return row && rangeOf(row);
}

function claim(register: DatabaseSync, owner: string, isUsable: (first: number) => boolean): UserIdRange {
  const rows = register.prepare('select no, data_dir from user_id_range').all() as unknown as Row[];
  const taken = new Map(rows.map((row) => [row.no, row.data_dir]));
  const isFree = (no: number): boolean => !taken.has(no) || !existsSync(taken.get(no)!);
  for (let no = 0; no < MAX_RANGES; no++) {
    if (!isFree(no) || !isUsable(FIRST_USER_ID + no * RANGE_SIZE)) continue;
    const row = { no, group_offset: randomInt(1, RANGE_SIZE - 1) };
    register
      .prepare(
        `insert into user_id_range (no, data_dir, group_offset) values (?, ?, ?)
         on conflict (no) do update set data_dir = excluded.data_dir, group_offset = excluded.group_offset`,
      )
      .run(no, owner, row.group_offset);
    return rangeOf(row);
  }
  throw new Error('no range of a million user ids is left for this installation');
}

/** In a user namespace, root can use only the ids that are mapped into it. */
function isMapped(first: number): boolean {
  const end = first + RANGE_SIZE;
  return ['uid_map', 'gid_map'].every((name) => {
    const lines = readMap(name);
    return lines === undefined || lines.some(([inside, length]) => inside <= first && end <= inside + length);
  });
}

function readMap(name: string): (readonly [inside: number, length: number])[] | undefined {
  try {
    const lines = readFileSync(`/proc/self/${name}`, 'utf8').trim().split('\n');
    return lines
      .map((line) => line.trim().split(/\s+/).map(Number))
      .map(([inside, , length]) => [inside!, length!] as const);
  } catch {
    // The system is not Linux, so it has no user namespaces.
    return undefined;
  }
}
