import { readFile } from 'node:fs/promises';
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
