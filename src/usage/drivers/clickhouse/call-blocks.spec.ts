import { CallBlocks } from './call-blocks.js';
import { ClickHouseConnection, ClickHouseFault, type RowPage } from './clickhouse-connection.js';

const ID = '00000000-0000-7000-8000-000000000001';
const LINE = `["${ID}",1780000000000,5]`;

type Result = number | string | ClickHouseFault;

/** Records statements. Returns or throws the first of `results` whose name is a part of the statement. */
class ScriptedConnection extends ClickHouseConnection {
  readonly statements: string[] = [];

  constructor(private readonly results: Readonly<Record<string, Result>>) {
    super();
  }

  async *rows({ text }: { readonly text: string }): AsyncIterable<RowPage> {
    const result = await this.#resultOf(text);
    yield { names: ['figure'], rows: result === undefined ? [] : [[result]] };
  }

  insert(): Promise<void> {
    throw new Error('not used');
  }

  async run(text: string): Promise<void> {
    await this.#resultOf(text);
  }

  async close(): Promise<void> {}

  async #resultOf(text: string): Promise<Exclude<Result, ClickHouseFault> | undefined> {
    this.statements.push(text);
    const result = Object.entries(this.results).find(([part]) => text.includes(part))?.[1];
    if (result instanceof ClickHouseFault) throw result;
    return result;
  }
}

const NEWEST = 'max(block)';
const LAGGING = 'system.replicas';
const CREATE = 'create table';
const DELETE = 'delete from';
const fault = (code: number): ClickHouseFault => new ClickHouseFault('error', code);

const blocksOf = (results: Readonly<Record<string, Result>>, cluster: string | undefined = 'main') => {
  const connection = new ScriptedConnection(results);
  const blocks = new CallBlocks(connection, { database: 'db', cluster }, new AbortController().signal);
  return { blocks, statements: connection.statements };
};

describe('the blocks of calls in a ClickHouse cluster', () => {
  it('create their tables only if the tables do not exist', async () => {
    const present = blocksOf({ [NEWEST]: 5 });
    await present.blocks.createIfAbsent();
    expect(present.statements).toHaveLength(1);
    const absent = blocksOf({ [NEWEST]: fault(60) });
    await absent.blocks.createIfAbsent();
    expect(absent.statements.filter((text) => text.includes(CREATE))).toHaveLength(2);
    await expect(blocksOf({ [NEWEST]: fault(279) }).blocks.createIfAbsent()).rejects.toThrow('error');
  });

  it('throw while a replica lags, instead of returning the calls that are not stored', async () => {
    await expect(blocksOf({ [LAGGING]: 1 }).blocks.withoutStored([LINE], 2)).rejects.toThrow('a replica lacks calls');
    const { blocks, statements } = blocksOf({ [LAGGING]: 0 });
    expect(await blocks.withoutStored([LINE], 2)).toEqual([LINE]);
    // A replica may become available at any time between the first check and the last.
    expect(statements.map((text) => text.includes(LAGGING))).toEqual([true, false, false, true]);
  });

  it('leave out calls that any replica has', async () => {
    const { blocks } = blocksOf({ [LAGGING]: 0, 'clusterAllReplicas(`main`, `db`.`generation_shard`)': ID });
    expect(await blocks.withoutStored([LINE], 2)).toEqual([]);
  });

  it('delete old calls without waiting for a server that is unavailable', async () => {
    await blocksOf({ [DELETE]: fault(159) }).blocks.removeBefore(5);
    await expect(blocksOf({ [DELETE]: fault(241) }).blocks.removeBefore(5)).rejects.toThrow('error');
    const wait = new CallBlocks(
      new ScriptedConnection({ [DELETE]: fault(159) }),
      { database: 'db', cluster: undefined },
      new AbortController().signal,
    );
    await expect(wait.removeBefore(5)).rejects.toThrow('error');
  });

  it('report whether inserts need all servers, if ClickHouse reports it', async () => {
    expect(await blocksOf({ internal_replication: 2 }).blocks.insertsNeedAllServers()).toBe(true);
    expect(await blocksOf({ internal_replication: 0 }).blocks.insertsNeedAllServers()).toBe(false);
    expect(await blocksOf({ internal_replication: fault(47) }).blocks.insertsNeedAllServers()).toBe(false);
  });
});
