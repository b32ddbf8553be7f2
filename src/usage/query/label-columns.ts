import { LABEL_KIND, type LabelKind } from '../generation-record.js';
import type { DimensionColumn } from './store-dialect.js';

const KINDS = {
  model: 'model',
  provider: 'provider',
  external_user: 'externalUser',
  app: 'app',
  origin: 'origin',
  finish_reason: 'finishReason',
} as const satisfies Record<string, LabelKind>;

type LabelColumn = keyof typeof KINDS;
/** The columns of a record that contain label numbers. */
export const LABEL_COLUMNS = Object.keys(KINDS) as LabelColumn[];

/** The columns of the dimensions that are stored as label numbers. `table`: the table of labels. */
export const labelColumns = (table: string): Readonly<Record<LabelColumn, DimensionColumn>> =>
  Object.fromEntries(
    LABEL_COLUMNS.map((column): [LabelColumn, DimensionColumn] => [
      column,
      {
        code: `g.${column}`,
        type: 'int',
        directory: { table, where: `kind = ${LABEL_KIND[KINDS[column]]}`, code: 'id', value: 'value' },
      },
    ]),
  ) as Record<LabelColumn, DimensionColumn>;
