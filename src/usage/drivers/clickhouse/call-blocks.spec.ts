import { CallBlocks } from './call-blocks.js';
import { ClickHouseConnection, ClickHouseFault, type RowPage } from './clickhouse-connection.js';

const ID = '00000000-0000-7000-8000-000000000001';
const LINE = `["${ID}",1780000000000,5]`;

type Answer = number | string | ClickHouseFault;

/** Records statements, and returns one value or throws an error for those that contain a text. */
class ScriptedConnection extends ClickHouseConnection {
  readonly statements: string[] = [];

  constructor(private readonly answers: Readonly<Record<string, Answer>>) {
    super();
  }

  async *rows({ text }: { readonly text: string }): AsyncIterable<RowPage> {
    const answer = await this.#answer(text);
    yield { names: ['figure'], rows: answer === undefined ? [] : [[answer]] };
  }

  insert(): Promise<void> {
    throw new Error('not used');
  }

  async run(text: string): Promise<void> {
    await this.#answer(text);
  }

  async close(): Promise<void> {}

  async #answer(text: string): Promise<Exclude<Answer, ClickHouseFault> | undefined> {
    this.statements.push(text);
    const answer = Object.entries(this.answers).find(([part]) => text.includes(part))?.[1];
    if (answer instanceof ClickHouseFault) throw answer;
    return answer;
  }
}

const NEWEST = 'max(block)';
const LAGGING = 'system.replicas';
const CREATE = 'create table';
const DELETE = 'delete from';
const fault = (code: number): ClickHouseFault => new ClickHouseFault('error', code);

const blocksOf = (answers: Readonly<Record<string, Answer>>, cluster: string | undefined = 'main') => {
  const connection = new ScriptedConnection(answers);
  const blocks = new CallBlocks(connection, { database: 'db', cluster }, new AbortController().signal);
  return { blocks, statements: connection.statements };
};

describe('the blocks of calls in a ClickHouse cluster', () => {
  it('create their tables only if these cannot be read', async () => {
    const present = blocksOf({ [NEWEST]: 5 });
    await present.blocks.createIfAbsent();
    expect(present.statements).toHaveLength(1);
    const absent = blocksOf({ [NEWEST]: fault(60) });
    await absent.blocks.createIfAbsent();
    expect(absent.statements.filter((text) => text.includes(CREATE))).toHaveLength(2);
    await expect(blocksOf({ [NEWEST]: fault(279) }).blocks.createIfAbsent()).rejects.toThrow('error');
  });

  it('throw, instead of naming the stored calls, while a replica lags', async () => {
    await expect(blocksOf({ [LAGGING]: 1 }).blocks.withoutStored([LINE], 2)).rejects.toThrow('a replica lacks calls');
    const { blocks, statements } = blocksOf({ [LAGGING]: 0 });
    expect(await blocks.withoutStored([LINE], 2)).toEqual([LINE]);
    // A replica may come back at any time between the first check and the last.
    expect(statements.map((text) => text.includes(LAGGING))).toEqual([true, false, false, true]);
  });

  it('leave out calls that any replica has', async () => {
    const { blocks } = blocksOf({ [LAGGING]: 0, 'clusterAllReplicas(`main`, `db`.`generation_shard`)': ID });
    expect(await blocks.withoutStored([LINE], 2)).toEqual([]);
  });

  it('delete old calls without waiting for a server that is away', async () => {
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
