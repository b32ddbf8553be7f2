import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '../../../src/config/config.js';
import type { ProcessMark } from '../../../src/runtimes/drivers/process-table.js';
import type { InternsStage, Member } from './interns-stage.js';

/** Inspects the interns of a member: over HTTP, in the data folder, and in the database. */
export function watchInterns(at: () => { readonly stage: InternsStage; readonly me: Member }) {
  // oxlint-disable-next-line typescript/no-explicit-any
  const get = async (id: string): Promise<any> => (await at().me.api.get(`/interns/${id}`)).json;
  const until = async <T>(look: () => Promise<T | undefined | false>, what: string, ms = 28_000): Promise<T> => {
    for (const end = performance.now() + ms; performance.now() < end; await sleep(25)) {
      const found = await look();
      if (found) return found;
    }
    throw new Error(`not within ${ms} ms: ${what}`);
  };
  const untilIs = (id: string, status: string, ms?: number) =>
    until(async () => (await get(id)).status === status && get(id), `${id} ${status}`, ms);
  const folderOf = (id: string): string =>
    join(at().stage.app.get(Config, { strict: false }).values.DATA_DIR, 'interns', id);
  const agentOf = async (id: string): Promise<ProcessMark> =>
    JSON.parse(await readFile(join(folderOf(id), 'runtime.json'), 'utf8')) as ProcessMark;
  const stateOf = async (id: string): Promise<{ boots: number }> =>
    JSON.parse(await readFile(join(folderOf(id), 'home', '.intern', 'state.json'), 'utf8')) as { boots: number };
  const keysOf = (id: string) =>
    at().stage.sql.query<{ hash: string; deleted: boolean }>(
      'select hash, deleted_at is not null as deleted from api_key where intern_id = $1 order by no',
      [id],
    );
  const running = async (name = 'ab'): Promise<string> => {
    const { json } = await at().me.api.post('/interns', { json: { name, provision: true } });
    await untilIs(json.id, 'running');
    return json.id;
  };

  return { get, until, untilIs, folderOf, agentOf, stateOf, keysOf, running };
}
