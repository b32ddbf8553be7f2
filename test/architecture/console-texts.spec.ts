import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consoleMessages } from '../../dev/console-messages.js';

/** Runs `npm run console:texts`. */
const texts = (...args: string[]): { readonly status: number | null; readonly output: string } => {
  const run = ['--import', './dev/typescript-loader.ts', 'dev/console-texts.ts', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, run, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

describe('the list of texts of the console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-texts-'));
  const file = join(folder, 'qaa.ts');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has the messages of the source, and tells which messages have plural forms', () => {
    const messages = consoleMessages('console/src');

    expect(messages.get('Save')).toEqual({ isPlural: false });
    expect(messages.get('{count} calls')).toEqual({ isPlural: true });
    expect(messages.size).toBeGreaterThan(1_000);
  });

  it('is printed as a valid language file', () => {
    writeFileSync(file, texts().output);

    expect(texts(file)).toEqual({ status: 0, output: expect.stringContaining(' messages, 0 faults') });
  });

  it('reports untranslated messages, unused messages, and translations with other names in braces', () => {
    const messages = { Save: 'Speichern', Gone: 'Weg', 'Error {status}': 'Fehler {statuss}' };
    writeFileSync(file, `export const messages = ${JSON.stringify(messages)};`);

    const { status, output } = texts(file);

    expect(status).toBe(1);
    expect(output).toContain('not translated: Show the key');
    expect(output).not.toContain('not translated: Save\n');
    expect(output).toContain('no message of the console: Gone');
    expect(output).toContain('other names in braces: Error {status}');
  });

  it('is not compared with a missing file: the error explains how to create the file', () => {
    expect(texts(join(folder, 'none.ts'))).toEqual({
      status: 1,
      output: expect.stringContaining('npm run -s console:texts > '),
    });
  });
});
