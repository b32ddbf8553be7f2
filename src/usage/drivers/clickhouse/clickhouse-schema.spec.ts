import { namedParameters } from './clickhouse-connection.js';
import { creatingStatements, deletingStatement, removingStatements } from './clickhouse-schema.js';
import { clickHouseAddress } from './http-clickhouse-connection.js';

describe('the tables of ClickHouse', () => {
  const cluster = { database: 'a`b', cluster: 'main' };

  it('are one table on a single server, which detects repeated blocks', () => {
    const [create, ...others] = creatingStatements({ database: 'default', cluster: undefined });
    expect(others).toEqual([]);
    expect(create).toMatch(/engine = MergeTree [^]* settings non_replicated_deduplication_window = 10000$/);
  });

  it('are replicated and sharded by account on a cluster', () => {
    const [shard, all] = creatingStatements(cluster);
    expect(shard).toContain('create table if not exists `a\\`b`.`generation_shard` on cluster `main`');
    expect(shard).toContain(
      `ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') partition by`,
    );
    expect(all).toMatch(/engine = Distributed\(`main`, `a\\`b`, `generation_shard`, account_no\)$/);
    for (const statement of [...removingStatements(cluster), deletingStatement(cluster, 5.5)])
      expect(statement).toContain(' on cluster `main`');
    expect(deletingStatement(cluster, 5.5)).toMatch(/ where created_ms < 5$/);
  });
});

describe('a statement for ClickHouse', () => {
  it('passes its values as parameters with their types', () => {
    const values = ["it's", 5, ['1'], []];
    expect(namedParameters({ text: 'select $1, $2, $3, $4', values })).toEqual({
      text: 'select {p1:String}, {p2:Int64}, {p3:Array(String)}, {p4:Array(String)}',
      parameters: { p1: "it's", p2: 5, p3: ['1'], p4: [] },
    });
  });
});

describe('CLICKHOUSE_URL', () => {
  it('has a user, a password and a database, or the defaults', () => {
    expect(clickHouseAddress('https://a%40b:p%2Fw@host:8443/db/')).toEqual({
      url: 'https://host:8443',
      username: 'a@b',
      password: 'p/w',
      database: 'db',
    });
    expect(clickHouseAddress('http://host:8123')).toEqual({
      url: 'http://host:8123',
      username: 'default',
      password: '',
      database: 'default',
    });
  });
});
