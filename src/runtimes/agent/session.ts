import type { FileHandle } from 'node:fs/promises';
import type { TurnRequest } from '../turn.ts';
import { newestRecords, SessionFiles } from './session-files.ts';
import type { SessionState, TranscriptRecord } from './transcript-record.ts';

type Lasting = SessionState['permissions'][string];

/** An open session. Each record is durable before its effects happen. */
export class Session {
  readonly records: TranscriptRecord[];
  readonly #file: FileHandle;
  readonly #files: SessionFiles;
  #state: SessionState;

  private constructor(files: SessionFiles, file: FileHandle, state: SessionState, records: TranscriptRecord[]) {
    this.#files = files;
    this.#file = file;
    this.#state = state;
    this.records = records;
  }

  /** Opens the session, or creates it, and starts a turn in it. Marks the previous turn if a crash interrupted it. */
  static async begin(home: string, { sessionId, turnId, text }: TurnRequest): Promise<Session> {
    const files = new SessionFiles(home, sessionId);
    const at = Date.now();
    const state = await files.readState();
    const turns = (state?.turns ?? 0) + 1;
    const next = { createdAt: at, permissions: {}, ...state, sessionId, updatedAt: at, turns };
    await files.writeState(next);
    const file = await files.openTranscript();
    try {
      const session = new Session(files, file, next, await newestRecords(file));
      const last = session.records.findLast(({ type }) => type === 'turn' || type === 'finished' || type === 'cut');
      if (last?.type === 'turn') await session.append({ type: 'cut', turnId: last.turnId });
      await session.append({ type: 'turn', turnId, text, at });
      return session;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Records a message that arrived after its turn had ended. The next turn reads it. */
  static async addLate(home: string, sessionId: string, text: string): Promise<void> {
    const file = await new SessionFiles(home, sessionId).openTranscript();
    try {
      await file.appendFile(lineOf({ type: 'steer', text }));
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Resolves when the record is durable. */
  async append(record: TranscriptRecord): Promise<void> {
    await this.#file.appendFile(lineOf(record));
    await this.#file.sync();
    this.records.push(record);
  }

  permissionOf(permission: string): Lasting | undefined {
    return this.#state.permissions[permission];
  }

  async setPermission(permission: string, option: Lasting): Promise<void> {
    this.#state = { ...this.#state, permissions: { ...this.#state.permissions, [permission]: option } };
    await this.#files.writeState(this.#state);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

const lineOf = (record: TranscriptRecord): string => `${JSON.stringify(record)}\n`;
