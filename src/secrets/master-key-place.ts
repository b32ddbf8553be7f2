import type { Config } from '../config/config.js';
import { allOf } from './envelope/master-key-file.js';
import { MasterKeySource } from './envelope/master-key-source.js';

/** The location of an installation's master keys, and their ids. */
export interface MasterKeyPlace {
  /** A file's path or a variable's name, for messages to the operator. */
  readonly place: string;
  readonly ids: readonly string[];
  /** A sentence with the reason why no key can be read; undefined = keys can be read. */
  readonly problem: string | undefined;
}

export async function masterKeyPlace(config: Config): Promise<MasterKeyPlace> {
  const source = new MasterKeySource(config);
  const { keys, problem } = await source.read();
  return { place: source.place, ids: allOf(keys).map(({ id }) => id), problem };
}

/**
 * The ids of the master keys that a database needs: the current key, and every key that wraps a data key. During a
 * rotation, there are two.
 */
export async function neededMasterKeys(query: (text: string) => Promise<{ id: string }[]>): Promise<string[]> {
  const rows = await query(
    `select id from master_key where state = 'current' union select master_key_id from data_key order by 1`,
  );
  return rows.map(({ id }) => id);
}
