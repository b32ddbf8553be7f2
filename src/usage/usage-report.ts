import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { MODALITY, type Modality } from './generation-record.js';

/** The SQL of the columns by which a report can group. `g` is the call. Days and months are in UTC. */
const GROUPS = {
  day: { columns: { day: `to_char(g.created_at at time zone 'UTC', 'YYYY-MM-DD')` } },
  month: { columns: { month: `to_char(g.created_at at time zone 'UTC', 'YYYY-MM')` } },
  account: {
    columns: { account: 'a.id::text', account_name: 'a.name' },
    join: 'left join account a on a.no = g.account_no',
  },
  workspace: {
    columns: { workspace: 'w.id::text', workspace_name: 'w.name' },
    join: 'left join workspace w on w.no = g.workspace_no',
  },
  key: { columns: { key: 'k.hash::text', key_name: 'k.name' }, join: 'left join api_key k on k.no = g.key_no' },
  model: { columns: { model: 'm.value' }, join: 'left join usage_label m on m.id = g.model' },
  provider: { columns: { provider: 'p.value' }, join: 'left join usage_label p on p.id = g.provider' },
  user: { columns: { user: 'e.value' }, join: 'left join usage_label e on e.id = g.external_user' },
  modality: { columns: { modality: modalityName() } },
} as const satisfies Record<string, { columns: Record<string, string>; join?: string }>;

export type ReportGroup = keyof typeof GROUPS;
export const REPORT_GROUPS = Object.keys(GROUPS) as ReportGroup[];

/** The names of a report's group columns. */
export const reportColumns = (by: readonly ReportGroup[]): string[] =>
  by.flatMap((group) => Object.keys(GROUPS[group].columns));

/** Calls from `from` (inclusive) to `to` (exclusive). */
interface ReportQuery {
  /** Null = all accounts. */
  readonly accountNo: number | null;
  readonly from: Date;
  readonly to: Date;
  readonly by: readonly ReportGroup[];
}

/** The sums of a report, in SQL. */
const SUMS = {
  requests: 'count(*)',
  errors: 'count(*) filter (where g.status >= 400)',
  tokens_prompt: 'coalesce(sum(g.tokens_prompt), 0)::bigint',
  tokens_completion: 'coalesce(sum(g.tokens_completion), 0)::bigint',
  images: 'coalesce(sum(g.images), 0)::bigint',
  characters: 'coalesce(sum(g.characters), 0)::bigint',
  usage: 'coalesce(sum(g.cost), 0)::bigint',
  byok_usage: 'coalesce(sum(coalesce(g.upstream_cost, g.cost)) filter (where g.is_byok), 0)::bigint',
} as const;

/** Summed exactly; money in nano-dollars. */
type ReportSums = Readonly<Record<keyof typeof SUMS, bigint>>;

export interface ReportRow {
  /** By the names of the group columns. */
  readonly groups: Readonly<Record<string, string | null>>;
  readonly sums: ReportSums;
}

/** Sums recorded calls for the operator, from the records. Synthetic calls (`usage seed`) are excluded. */
@Injectable()
export class OperatorReport {
  constructor(private readonly sql: Sql) {}

  /** Ordered by spend, descending. */
  async of({ accountNo, from, to, by }: ReportQuery): Promise<ReportRow[]> {
    const columns = by.flatMap((group) => Object.entries(GROUPS[group].columns));
    const joins = by.map((group) => ('join' in GROUPS[group] ? GROUPS[group].join : '')).join(' ');
    const groups = columns.map(([, expression], index) => `${expression} as g${index}`);
    const sums = Object.entries(SUMS).map(([name, expression]) => `${expression} as ${name}`);
    const places = groups.map((_, index) => index + 1).join(', ');
    const rows = await this.sql.query<Record<string, unknown>>(
      `select ${[...groups, ...sums].join(', ')} from generation g ${joins}
       where g.created_at >= $1 and g.created_at < $2 and ($3::int is null or g.account_no = $3) and not g.synthetic
       ${groups.length > 0 ? `group by ${places}` : ''} having count(*) > 0
       order by sum(g.cost) desc, count(*) desc${groups.length > 0 ? `, ${places}` : ''}`,
      [from, to, accountNo],
    );
    return rows.map((row) => ({
      groups: Object.fromEntries(columns.map(([name], index) => [name, row[`g${index}`] as string | null])),
      sums: Object.fromEntries(Object.keys(SUMS).map((name) => [name, row[name]])) as ReportSums,
    }));
  }
}

function modalityName(): string {
  const names = (Object.entries(MODALITY) as [Modality, number][]).map(
    ([name, number]) => `when ${number} then '${name}'`,
  );
  return `case g.modality ${names.join(' ')} end`;
}
