import { LABEL_KIND, type LabelKind } from '../totals/label-kinds.js';
import type { DimensionColumn } from './store-dialect.js';

const COLUMNS = {
  model: 'model',
  provider: 'provider',
  external_user: 'externalUser',
  app: 'app',
  origin: 'origin',
  finish_reason: 'finishReason',
} as const satisfies Record<string, LabelKind>;

/** The dimensions whose texts are label numbers, with the labels in `table`. */
export function labelColumns(table: string): Readonly<Record<keyof typeof COLUMNS, DimensionColumn>> {
  const of = (column: keyof typeof COLUMNS): DimensionColumn => ({
    code: `g.${column}`,
    type: 'int',
    directory: { table, where: `kind = ${LABEL_KIND[COLUMNS[column]]}`, code: 'id', value: 'value' },
  });
  return {
    model: of('model'),
    provider: of('provider'),
    external_user: of('external_user'),
    app: of('app'),
    origin: of('origin'),
    finish_reason: of('finish_reason'),
  };
}
