import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Catalogue } from '../../src/catalogue/catalogue.js';
import { CAPABILITIES, type Capability } from '../../src/catalogue/catalogue-model.js';

const MAX_LINES = 110;
/** The README's words for each capability. */
const WORDS: Readonly<Record<Capability, string>> = {
  chat: 'for chat',
  image: 'for images',
  speech: 'for speech',
  transcription: 'for transcription',
  embeddings: 'for embeddings',
  rerank: 'for reranking',
};

/** The numbers of models that an adapter can call, by capability, and of the providers that serve them. */
function callable(): { readonly models: ReadonlyMap<Capability, number>; readonly providers: number } {
  const endpoints = new Catalogue()
    .all()
    .flatMap(({ id, endpoints: all }) =>
      all.filter(({ adapter }) => adapter !== null).map(({ capability, provider }) => ({ id, capability, provider })),
    );
  const count = (capability: Capability): number =>
    new Set(endpoints.filter((endpoint) => endpoint.capability === capability).map(({ id }) => id)).size;
  return {
    models: new Map(CAPABILITIES.map((capability) => [capability, count(capability)])),
    providers: new Set(endpoints.map(({ provider }) => provider)).size,
  };
}

describe('the README', () => {
  let text: string;
  beforeAll(async () => {
    text = await readFile('README.md', 'utf8');
  });

  it(`has at most ${MAX_LINES} lines`, () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  });

  it('has a picture near its beginning, in a light and a dark version', () => {
    const pictures = [...text.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, file]) => file!);
    expect(pictures).toHaveLength(2);
    expect(pictures.filter((file) => !existsSync(file))).toEqual([]);
    expect(text.split('\n').findIndex((line) => line.includes('<picture>'))).toBeLessThan(10);
  });

  it('has the commands that start the service and run the tests', () => {
    const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!.trim());
    expect(blocks.slice(0, 2)).toEqual(['npm ci && npm start', 'npm ci && npm test']);
  });

  it('has the numbers of callable models and providers of the shipped catalogue', () => {
    const { models, providers } = callable();
    const row = /^\| Models that can be called \| (.*) \|$/m.exec(text)![1]!;
    const counts = Object.fromEntries(
      CAPABILITIES.map((capability) => [capability, Number(new RegExp(`(\\d+) ${WORDS[capability]}`).exec(row)?.[1])]),
    );
    expect(counts).toEqual(Object.fromEntries(models));
    expect(Number(/at (\d+) providers/.exec(row)?.[1])).toBe(providers);
    expect(text).toContain(`| Vendors | ${providers} |`);
  });

  it('has two figures of docs/performance.md and one figure of a test', async () => {
    const performance = await readFile('docs/performance.md', 'utf8');
    expect(text).toContain('takes 58 ms at the median');
    expect(performance).toContain('Over ten million calls the overview of 30 days takes 58 ms at the median');
    expect(text).toContain('2.02 ms, ledger on');
    expect(performance).toMatch(/\| \| 400 a second \| 926 \| 291 \| \| \| 991 \| 2\.02 ms/);
    const exactness = await readFile('test/system/kills/exactness.e2e-spec.ts', 'utf8');
    expect(exactness).toContain('serves 137 of 1,000 simultaneous calls');
    expect(text).toContain('exactly 137 are served');
  });
});
