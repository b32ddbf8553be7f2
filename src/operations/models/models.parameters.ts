import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { CATEGORIES, INPUT_MODALITIES, OUTPUT_MODALITIES, SORTS } from '../../catalogue/model-query.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { DIALECTS, fromWire, toWire } from '../../kernel/dialect.js';
import { decimal, flag, integer, list, number, text, word, type QueryReader } from './query-reader.js';

interface Parameter<T> {
  readonly read: QueryReader<T>;
  /** For the OpenAPI document. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly description: string;
}

const parameter = <T>(read: QueryReader<T>, schema: Parameter<T>['schema'], description: string): Parameter<T> => ({
  read,
  schema,
  description,
});
const TEXT = { type: 'string' };
const words = (values: readonly string[]): Parameter<unknown>['schema'] => ({
  type: 'string',
  enum: [...new Set(DIALECTS.flatMap((dialect) => values.map((value) => toWire(value, dialect))))],
});
const numberOrNull = (maximum?: number): Parameter<unknown>['schema'] => ({
  type: ['number', 'null'],
  minimum: 0,
  ...(maximum === undefined ? {} : { maximum }),
});
const INTEGER_OR_NULL = { type: ['integer', 'null'], minimum: 0 };

/** The query parameters of GET /models. */
export const MODELS_PARAMETERS = {
  category: parameter(word(CATEGORIES), words(CATEGORIES), 'Models of this category.'),
  supported_parameters: parameter(
    list(),
    TEXT,
    'Comma-separated names of request parameters; only models that support all of them.',
  ),
  output_modalities: parameter(
    list([...OUTPUT_MODALITIES, 'all']),
    { ...TEXT, default: 'text' },
    `Comma-separated list of ${OUTPUT_MODALITIES.join(', ')}; only models that produce any of them. ` +
      '`all` lists every model.',
  ),
  input_modalities: parameter(
    list(INPUT_MODALITIES),
    TEXT,
    `Comma-separated list of ${INPUT_MODALITIES.join(', ')}; only models that accept any of them.`,
  ),
  sort: parameter(
    word(SORTS, fromWire),
    words(SORTS),
    'The order of the list. Models without a value are last; of equal models, the newest is first. ' +
      'Default: newest first, then by id.',
  ),
  use_rss: parameter(flag, TEXT, 'Returns an RSS 2.0 feed, for any value except empty, `0` and `false`.'),
  use_rss_chat_links: parameter(
    flag,
    TEXT,
    'Links the items of the feed to a chat with the model instead of to its page.',
  ),
  q: parameter(text, TEXT, 'Words that the name or the slug must contain.'),
  context: parameter(integer(1), { type: 'integer', minimum: 1 }, 'Minimum context length in tokens.'),
  min_price: parameter(decimal, numberOrNull(), 'Minimum prompt price, in USD per million tokens.'),
  max_price: parameter(decimal, numberOrNull(), 'Maximum prompt price, in USD per million tokens.'),
  min_output_price: parameter(decimal, numberOrNull(), 'Minimum completion price, in USD per million tokens.'),
  max_output_price: parameter(decimal, numberOrNull(), 'Maximum completion price, in USD per million tokens.'),
  arch: parameter(text, TEXT, 'Architecture (the value of `architecture.tokenizer`) or model family.'),
  model_authors: parameter(list(), TEXT, 'Comma-separated slugs of authors.'),
  providers: parameter(list(), TEXT, 'Comma-separated names or slugs of hosting providers.'),
  distillable: parameter(
    word(['true', 'false']),
    { type: 'string', enum: ['true', 'false'] },
    '`true`: only models known to be distillable; `false`: excludes them.',
  ),
  zdr: parameter(
    word(['true']),
    { type: 'string', enum: ['true'] },
    'Only models with a zero-data-retention endpoint.',
  ),
  region: parameter(
    word(['eu']),
    { type: 'string', enum: ['eu'] },
    'Only models with an endpoint in this data region.',
  ),
  min_age_days: parameter(integer(0), INTEGER_OR_NULL, 'Minimum age in whole days since creation.'),
  max_age_days: parameter(integer(0), INTEGER_OR_NULL, 'Maximum age in whole days since creation.'),
  min_intelligence_index: parameter(number(), numberOrNull(), 'Minimum intelligence index.'),
  max_intelligence_index: parameter(number(), numberOrNull(), 'Maximum intelligence index.'),
  min_coding_index: parameter(number(), numberOrNull(), 'Minimum coding index.'),
  max_coding_index: parameter(number(), numberOrNull(), 'Maximum coding index.'),
  min_agentic_index: parameter(number(), numberOrNull(), 'Minimum agentic index.'),
  max_agentic_index: parameter(number(), numberOrNull(), 'Maximum agentic index.'),
  min_tool_success_rate: parameter(
    number(1),
    numberOrNull(1),
    'Minimum share of requests that finish with tool calls, from 0 to 1.',
  ),
  max_tool_success_rate: parameter(
    number(1),
    numberOrNull(1),
    'Maximum share of requests that finish with tool calls, from 0 to 1.',
  ),
  offset: parameter(integer(0), { ...INTEGER_OR_NULL, default: 0 }, 'Models to skip.'),
  limit: parameter(
    integer(1, 1000),
    { type: 'integer', minimum: 1, maximum: 1000 },
    'Maximum number of models. Without offset and limit the whole list is returned; with offset alone, 500.',
  ),
} as const;

type Table = typeof MODELS_PARAMETERS;
/** The parsed values of the parameters that are set. */
export type ModelsParameters = { readonly [K in keyof Table]?: Table[K] extends Parameter<infer T> ? T : never };

const JOINED: ReadonlySet<string> = new Set([
  'supported_parameters',
  'output_modalities',
  'input_modalities',
  'model_authors',
  'providers',
]);

const ALL = Object.keys(MODELS_PARAMETERS) as (keyof Table)[];

/**
 * Parses the query of a request. Unknown parameters are ignored; repeated lists are joined; any other repeated
 * parameter is an error.
 */
export function readParameters(query: URLSearchParams, names: readonly (keyof Table)[] = ALL): ModelsParameters {
  const read: [string, unknown][] = [];
  for (const name of names) {
    const given = query.getAll(name);
    if (given.length === 0) continue;
    if (given.length > 1 && !JOINED.has(name)) throw invalidRequest(`${name} is given more than once`);
    const value: unknown = MODELS_PARAMETERS[name].read(given.join(','), name);
    if (value !== undefined) read.push([name, value]);
  }
  return Object.fromEntries(read);
}

/** Documents parameters in the OpenAPI document. */
export const DocumentsQuery = (names: readonly (keyof Table)[] = ALL): MethodDecorator =>
  applyDecorators(
    ...names.map((name) =>
      ApiQuery({
        name,
        required: false,
        description: MODELS_PARAMETERS[name].description,
        schema: MODELS_PARAMETERS[name].schema as object,
      }),
    ),
  );
