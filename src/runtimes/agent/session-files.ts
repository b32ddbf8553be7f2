import { constants } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { SessionSummary } from '../turn.ts';
import type { SessionState, TranscriptRecord } from './transcript-record.ts';

const FOLDER = '.intern/sessions';
const TRANSCRIPT = 'transcript.jsonl';
const STATE = 'session.json';
/** Only the end of a long transcript is sent to a model; the whole transcript stays on the disk. */
const MAX_READ_BYTES = 4_194_304;
const MAX_LISTED = 10_000;

/** An id may contain any characters, so the name of the folder is the hash of the id. */
const folderOf = (home: string, sessionId: string): string => join(home, FOLDER, hash('sha256', sessionId, 'hex'));

/** The folder of one session. */
export class SessionFiles {
  readonly #folder: string;

  constructor(home: string, sessionId: string) {
    this.#folder = folderOf(home, sessionId);
  }

  /** Undefined for a new session. */
  readState(): Promise<SessionState | undefined> {
    return stateIn(this.#folder);
  }

  /** Replaces the state durably. */
  async writeState(state: SessionState): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, STATE);
    const file = await open(`${path}.new`, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(state));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
    await syncFolder(this.#folder);
    await syncFolder(join(this.#folder, '..'));
  }

  openTranscript(): Promise<FileHandle> {
    const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
    return open(join(this.#folder, TRANSCRIPT), O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  }
}

/** The newest records of a transcript. After a crash the last line may be incomplete; it is ignored. */
export async function newestRecords(file: FileHandle): Promise<TranscriptRecord[]> {
  const { size } = await file.stat();
  const start = Math.max(0, size - MAX_READ_BYTES);
  const bytes = Buffer.alloc(size - start);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
  const text = bytes.toString('utf8', 0, bytesRead);
  // The next record must start a new line.
  if (text !== '' && !text.endsWith('\n')) await file.appendFile('\n');
  const lines = text.split('\n');
  // The first line may have started before `start`.
  if (start > 0) lines.shift();
  return lines.flatMap(parsed);
}

function parsed(line: string): TranscriptRecord[] {
  try {
    const record = JSON.parse(line) as TranscriptRecord | null;
    return record === null ? [] : [record];
  } catch {
    return [];
  }
}

/** The sessions on the disk, newest first. */
export async function listSessions(home: string): Promise<SessionSummary[]> {
  const names = await readdir(join(home, FOLDER)).catch(() => []);
  const found: SessionSummary[] = [];
  for (const name of names.filter((each) => !each.startsWith('.')).slice(0, MAX_LISTED)) {
    const state = await stateIn(join(home, FOLDER, name));
    if (!state || typeof state.sessionId !== 'string') continue;
    const { sessionId, createdAt, updatedAt, turns } = state;
    found.push({ sessionId, createdAt, updatedAt, turns });
  }
  return found.sort((a, b) => b.updatedAt - a.updatedAt);
}

/** Returns false if there is no such session. */
export async function deleteSession(home: string, sessionId: string): Promise<boolean> {
  // Rename first, so that a crash does not leave a partial session.
  const gone = join(home, FOLDER, `.deleted-${process.pid}-${Date.now()}`);
  try {
    await rename(folderOf(home, sessionId), gone);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  await rm(gone, { recursive: true, force: true });
  return true;
}

async function stateIn(folder: string): Promise<SessionState | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, STATE), 'utf8')) as SessionState;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
