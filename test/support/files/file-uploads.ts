import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiAnswer, ApiClient } from '../api/api-client.js';

/** A form with one file, as browsers and SDKs send it. */
export function formOf(bytes: Uint8Array | string, name = 'notes.txt', type = 'application/octet-stream'): FormData {
  const form = new FormData();
  form.set('file', new Blob([bytes], { type }), name);
  return form;
}

export const upload = (client: ApiClient, bytes: Uint8Array | string, name?: string, query = ''): Promise<ApiAnswer> =>
  client.post(`/files${query}`, { body: formOf(bytes, name) });

/** Paths of all files below DATA_DIR/files, complete or unfinished. */
export async function keptBelow(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
