import { readdir, readFile } from 'node:fs/promises';
import { configurationPage, environmentExample } from '../../src/config/variables-page.js';
import { errorsPage } from '../../src/http/errors-page.js';
import { lifecyclePage } from '../../src/interns/lifecycle-page.js';

describe('documentation made from the code', () => {
  it('docs/configuration.md says what the code reads (npm run docs writes it)', async () => {
    expect(await readFile('docs/configuration.md', 'utf8')).toBe(configurationPage());
  });

  it('.env.example names every variable with its default (npm run docs writes it)', async () => {
    expect(await readFile('.env.example', 'utf8')).toBe(environmentExample());
  });

  it('docs/errors.md says what the code answers (npm run docs writes it)', async () => {
    expect(await readFile('docs/errors.md', 'utf8')).toBe(errorsPage());
  });

  it('docs/intern-lifecycle.md prints the transitions that the code has (npm run docs writes it)', async () => {
    expect(await readFile('docs/intern-lifecycle.md', 'utf8')).toBe(lifecyclePage());
  });
});

describe('decision records', () => {
  it('are numbered apart, and each has its row in the index', async () => {
    const files = (await readdir('docs/decisions')).filter((name) => name !== 'README.md').toSorted();
    const rows = [...(await readFile('docs/decisions/README.md', 'utf8')).matchAll(/^\| \[(\d{4})\]\((.+?)\)/gm)];

    expect(rows.map(([, , file]) => file)).toEqual(files);
    expect(rows.map(([, number]) => number)).toEqual(files.map((file) => file.slice(0, 4)));
    expect(new Set(rows.map(([, number]) => number)).size).toBe(rows.length);
  });
});
