/** The entries of all pages of a list. `read` returns the page that starts at an offset. */
export async function allPages<T>(pageSize: number, read: (offset: number) => Promise<readonly T[]>): Promise<T[]> {
  const entries: T[] = [];
  for (;;) {
    const page = await read(entries.length);
    entries.push(...page);
    if (page.length < pageSize) return entries;
  }
}
