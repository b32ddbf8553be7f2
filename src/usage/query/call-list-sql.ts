import type { CallListPlan } from '../call-list.js';
import { filterSql, narrowBySpan } from './filter-sql.js';
import { Parameters, type KnownSpans, type Statement } from './statement.js';
import type { StoreDialect } from './store-dialect.js';

/** The columns with label texts. */
export const LISTED_TEXTS = ['model', 'provider', 'external_user', 'finish_reason'] as const;
const COUNTS = [
  'tokens_prompt',
  'tokens_completion',
  'tokens_reasoning',
  'tokens_cached',
  'characters',
  'images',
  'latency_ms',
  'duration_ms',
  'status',
] as const;

/**
 * Converts a plan to one statement with the columns of ListedCall. If the dialect does not join texts to lists, the
 * statement returns the stored values, which are numbers of texts in DuckDB and texts in ClickHouse.
 */
export function callListSql(plan: CallListPlan, dialect: StoreDialect, spans: KnownSpans = new Map()): Statement {
  const parameters = new Parameters(dialect.writesNumbers);
  const columns = [
    'cast(g.id as text) as id',
    `cast(${dialect.milliseconds} as double precision) as at`,
    'cast(g.cost as text) as cost',
    'cast(coalesce(g.upstream_cost, g.cost) as text) as upstream_cost',
    'g.key_no as key_no',
    'g.workspace_no as workspace_no',
    ...LISTED_TEXTS.map((name) => (dialect.joinsListedTexts ? `l_${name}.value as ${name}` : `g.${name} as ${name}`)),
    ...COUNTS.map((name) => `cast(coalesce(g.${name}, 0) as double precision) as ${name}`),
    `cast(${dialect.columns.modality.code} as int) as kind`,
    'g.is_byok as is_byok',
  ];
  const order = `order by ${dialect.time} desc, g.id desc`;
  const ofSession =
    plan.sessionId === null
      ? ''
      : ' join generation_detail d on d.account_no = g.account_no and d.id = g.id and d.created_at = g.created_at';
  const calls =
    `from generation g${ofSession} where ${conditionsOf(plan, dialect, parameters, spans).join(' and ')} ` +
    `${order} limit ${parameters.add(plan.limit + 1)}`;
  const text = dialect.joinsListedTexts
    ? `select ${columns.join(', ')} from (select g.* ${calls}) g ${textJoins(dialect)} ${order}`
    : `select ${columns.join(', ')} ${calls}`;
  return { text, values: parameters.values };
}

const textJoins = (dialect: StoreDialect): string =>
  LISTED_TEXTS.map((name) => {
    const { table, code } = dialect.columns[name].directory!;
    return `left join ${table} l_${name} on l_${name}.${code} = g.${name}`;
  }).join(' ');

/**
 * The statement that counts the newest calls of a plan, up to its limit, and finds the time of the oldest of them. It
 * has the columns of NewestCalls.
 */
export function newestCallsSql(plan: CallListPlan, dialect: StoreDialect, spans: KnownSpans): Statement {
  const parameters = new Parameters(dialect.writesNumbers);
  const times =
    `select ${dialect.time} as moment from generation g ` +
    `where ${conditionsOf(plan, dialect, parameters, spans).join(' and ')} ` +
    `order by moment desc limit ${parameters.add(plan.limit)}`;
  return {
    text: `select cast(count(*) as double) as calls, cast(min(moment) as double) as oldest from (${times}) newest`,
    values: parameters.values,
  };
}

function conditionsOf(plan: CallListPlan, dialect: StoreDialect, parameters: Parameters, spans: KnownSpans): string[] {
  const { keyNos, workspaceNo, sessionId, from, to, before } = plan;
  const int = (value: number): string => `cast(${parameters.add(value)} as int)`;
  const moment = (ms: number): string => parameters.add(dialect.moment(ms));
  return [
    `g.account_no = ${int(plan.accountNo)}`,
    ...(keyNos === null
      ? []
      : [
          keyNos.length === 1
            ? `g.key_no = ${int(keyNos[0]!)}`
            : dialect.memberOf('g.key_no', parameters.add(dialect.list(keyNos)), 'int'),
        ]),
    ...(workspaceNo === null ? [] : [`g.workspace_no = ${int(workspaceNo)}`]),
    ...(sessionId === null ? [] : [`d.session_id = cast(${parameters.add(sessionId)} as text)`]),
    ...(from === null ? [] : [`${dialect.time} >= ${moment(from)}`]),
    ...(to === null ? [] : [`${dialect.time} < ${moment(to)}`]),
    // The first condition is separate, so that a store can skip newer calls.
    ...(before === null
      ? []
      : [
          `${dialect.time} <= ${moment(before.at)}`,
          `(${dialect.time} < ${moment(before.at)} or ` +
            `g.id < cast(${parameters.add(before.id)} as ${dialect.columns.generation_id.type}))`,
        ]),
    ...plan.filters.map((filter) => {
      const span = spans.get(filter);
      // A filter of a list names one text, which has one code. The comparison with the code can be evaluated during the
      // scan.
      return (
        (span && narrowBySpan(filter, '', span, dialect, parameters).condition) ??
        filterSql(filter, dialect, parameters)
      );
    }),
  ];
}
