import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptOpenApi } from './kept-openapi.js';

describe('the text of the OpenAPI document', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const counted = (): { readonly make: () => string; readonly times: () => number } => {
    let times = 0;
    return { make: () => `made ${++times}`, times: () => times };
  };

  it('is made by the first start of a build, and read by later ones', async () => {
    const { make, times } = counted();

    expect([keptOpenApi(make, folder), keptOpenApi(make, folder)]).toEqual(['made 1', 'made 1']);
    expect(times()).toBe(1);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('is made by every start if the folder cannot be written, and if there is no build', async () => {
    const { make } = counted();
    const missing = join(folder, 'missing');

    expect([keptOpenApi(make, missing), keptOpenApi(make, missing)]).toEqual(['made 1', 'made 2']);
    expect(keptOpenApi(make, undefined)).toBe('made 3');
    expect(await readdir(folder)).toEqual([]);
  });
});
