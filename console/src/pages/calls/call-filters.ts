export interface CallFilters {
  readonly model?: string;
  readonly key?: string;
  readonly status?: 'errors' | 'ok';
  /** A day in UTC. */
  readonly from?: string;
  readonly to?: string;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Keeps what is well-formed of an address. */
export function callFilters({ model, key, status, from, to }: Record<string, unknown>): CallFilters {
  const found: CallFilters = {
    model: text(model),
    key: text(key),
    status: status === 'errors' || status === 'ok' ? status : undefined,
    from: text(from),
    to: text(to),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
