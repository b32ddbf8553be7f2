export interface CallFilters {
  readonly model?: string;
  readonly key?: string;
  readonly status?: 'errors' | 'ok';
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Keeps what is well-formed of an address. */
export function callFilters({ model, key, status }: Record<string, unknown>): CallFilters {
  const found: CallFilters = {
    model: text(model),
    key: text(key),
    status: status === 'errors' || status === 'ok' ? status : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
