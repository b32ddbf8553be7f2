import type { CatalogueModel } from '../../catalogue/catalogue-model.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import type { MessagesModelsResponse } from './dto/messages-models.response.dto.js';

/** The page that a client of `/messages` requests. */
interface MessagesPage {
  /** Default: all models. */
  readonly limit?: number;
  /** Only the models after the model with this id. */
  readonly after?: string;
  /** Only the models before the model with this id. */
  readonly before?: string;
}

/**
 * The list of models for clients of `/messages`, which send `anthropic-version`. Throws invalid_request if the list has
 * no model with the id in `after` or `before`.
 */
export function toMessagesList(
  found: readonly CatalogueModel[],
  { limit = found.length, after, before }: MessagesPage,
): MessagesModelsResponse {
  const from = after === undefined ? 0 : positionOf(found, 'after_id', after) + 1;
  const to = before === undefined ? found.length : positionOf(found, 'before_id', before);
  const slice = found.slice(from, Math.max(from, to));
  // With `before`, the page ends just before the model with this id.
  const part = before === undefined ? slice.slice(0, limit) : slice.slice(Math.max(0, slice.length - limit));
  return {
    data: part.map(({ id, name, created }) => ({
      type: 'model',
      id,
      display_name: name,
      created_at: new Date(created * 1_000).toISOString(),
    })),
    has_more: part.length < slice.length,
    first_id: part[0]?.id ?? null,
    last_id: part.at(-1)?.id ?? null,
  };
}

function positionOf(found: readonly CatalogueModel[], name: string, id: string): number {
  const position = found.findIndex((model) => model.id === id);
  if (position < 0) throw invalidRequest(`${name} must be the id of a model in this list`);
  return position;
}
