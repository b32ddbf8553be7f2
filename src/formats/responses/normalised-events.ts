import { isObject, membersOf, textOf, type Members } from '../members.js';
import { restoredCall, type ToolNames } from '../tools/namespaces.js';
import { normalisedItem, normalisedPart } from './items/output-items.js';

const REASONING_EVENT = /^response\.reasoning_/;

/** Adds members that clients need to a vendor's events, because some vendors omit them. */
export class NormalisedEvents {
  /** The names of called functions, by item id. */
  readonly #names = new Map<unknown, string>();
  readonly #reasoning = new Set<unknown>();

  constructor(private readonly toolNames?: ToolNames) {}

  /** Returns the same object if nothing is changed. */
  of(type: string, body: Members): Members {
    switch (type) {
      case 'response.output_text.delta':
      case 'response.output_text.done':
        return Array.isArray(body['logprobs']) ? body : { ...body, logprobs: [] };
      case 'response.output_item.added':
      case 'response.output_item.done':
        return this.#item(body);
      case 'response.content_part.added':
      case 'response.content_part.done':
        return withNormalised(body, 'part', normalisedPart);
      case 'response.function_call_arguments.done':
        return this.#withName(body);
      default:
        return body;
    }
  }

  /** Whether an event belongs to reasoning. Call `of` first, because `of` records which items are reasoning. */
  isReasoning(type: string, { item, item_id: id }: Members): boolean {
    return REASONING_EVENT.test(type) || membersOf(item)['type'] === 'reasoning' || this.#reasoning.has(id);
  }

  #item(body: Members): Members {
    const { id, type, name } = membersOf(body['item']);
    const grouped = this.toolNames?.get(String(name));
    if (type === 'function_call') this.#names.set(id, grouped?.name ?? textOf(name) ?? '');
    if (type === 'reasoning') this.#reasoning.add(id);
    return withNormalised(body, 'item', (item) => restoredCall(normalisedItem(item), this.toolNames));
  }

  #withName(body: Members): Members {
    const known = this.#names.get(body['item_id']);
    if (typeof body['name'] === 'string' && (known === undefined || known === body['name'])) return body;
    return { ...body, name: known ?? '' };
  }
}

function withNormalised(body: Members, name: string, normalise: (value: Members) => Members): Members {
  const value = body[name];
  if (!isObject(value)) return body;
  const normalised = normalise(value);
  return normalised === value ? body : { ...body, [name]: normalised };
}
