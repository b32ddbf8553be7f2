import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ACCESS } from '../../src/kernel/access/access-matrix.js';

const ROOT = process.cwd();
const BIN = [join(ROOT, 'node_modules/.bin'), join(ROOT, 'test/node_modules/.bin')].join(delimiter);
const TIME_LIMIT = 120_000;
const MATRIX = 'test/support/api/access-matrix.data.ts';

interface Prettier {
  readonly resolveConfig: (filepath: string) => Promise<object | null>;
  readonly check: (text: string, options: object) => Promise<boolean>;
}

interface Run {
  readonly code: number;
  readonly output: string;
}

/** Runs one of the project's own tools in the folder, with the Node version that runs the tests. */
const run = (folder: string, script: string, ...args: string[]): Promise<Run> =>
  runNode(folder, join(ROOT, script), ...args);

function runNode(folder: string, ...args: string[]): Promise<Run> {
  const env = {
    ...process.env,
    PATH: `${BIN}${delimiter}${process.env.PATH}`,
    NO_COLOR: '1',
  };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr }),
    );
  });
}

/**
 * Checks the types of the files that a configuration includes. `tsc -p` would check all files that they import too, and
 * takes three times the CPU time.
 */
const CHECK = `
  import ts from 'typescript';
  const onUnRecoverableConfigFileDiagnostic = ({ messageText }) => { throw new Error(messageText); };
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic };
  const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(process.argv[1], {}, host);
  const program = ts.createProgram(fileNames, options);
  const found = [...errors, ...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  for (const file of fileNames.map((name) => program.getSourceFile(name)))
    found.push(...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file));
  console.log(ts.formatDiagnostics(found, {
    getCanonicalFileName: (name) => name, getCurrentDirectory: ts.sys.getCurrentDirectory, getNewLine: () => '\\n',
  }));
  process.exitCode = found.length > 0 ? 1 : 0;
`;

const generate = (folder: string, name: string): Promise<Run> =>
  run(folder, 'node_modules/@nestjs/cli/bin/nest.js', 'generate', 'operation-group', name);
const passes = expect.objectContaining({ code: 0 });

describe('nest g operation-group', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-generator-'));
  const tableOfContents = (): string => readFileSync(join(folder, 'src/operations/operations.ts'), 'utf8');
  let listedBefore: string[];

  beforeAll(async () => {
    // Copied, because through a link the check of the rooms would find the original files of the tests.
    for (const name of ['src', 'test'])
      cpSync(join(ROOT, name), join(folder, name), {
        recursive: true,
        filter: (path) => !path.endsWith('node_modules'),
      });
    for (const name of [
      'node_modules',
      'test/node_modules',
      'dev',
      'nest-cli.json',
      'package.json',
      'tsconfig.json',
      '.oxlintrc.json',
      '.dependency-cruiser.cjs',
      '.prettierrc.json',
    ]) {
      symlinkSync(join(ROOT, name), join(folder, name));
    }
    listedBefore = modulesIn(tableOfContents());
    await generate(folder, 'paper-boats');
    await generate(folder, 'anchors');
  }, TIME_LIMIT);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('writes the files of a group, with the name of the group in the name of each file', () => {
    const files = readdirSync(join(folder, 'src/operations/paper-boats'), { recursive: true }).map(String).toSorted();

    expect(files).toEqual([
      'dto',
      'dto/paper-boats.request.dto.ts',
      'dto/paper-boats.response.dto.ts',
      'paper-boats.controller.ts',
      'paper-boats.module.ts',
      'paper-boats.service.ts',
      'paper-boats.wire.spec.ts',
      'paper-boats.wire.ts',
    ]);
  });

  it('adds the modules to the table of contents, sorted by name, and keeps the order of existing entries', () => {
    const listed = modulesIn(tableOfContents());
    expect(listed.filter((module) => !['AnchorsModule', 'PaperBoatsModule'].includes(module))).toEqual(listedBefore);
    // Routes are matched in this order, so inference comes first.
    const inference = [
      'ChatModule',
      'CompletionsModule',
      'EmbeddingsModule',
      'ImagesModule',
      'MessagesModule',
      'RerankModule',
      'ResponsesModule',
      'TranscriptionsModule',
      'TtsModule',
    ];
    expect(listed.slice(0, inference.length)).toEqual(inference);
    const others = [...listedBefore.slice(inference.length), 'AnchorsModule', 'PaperBoatsModule'];
    expect(listed.slice(inference.length)).toEqual(others.toSorted());
    expect(tableOfContents()).toContain("import { PaperBoatsModule } from './paper-boats/paper-boats.module.js';\n");
  });

  it('adds a row for each group to the access matrix, as strict as the controller, and keeps the existing rows', () => {
    const rows = readFileSync(join(folder, MATRIX), 'utf8').split('\n');
    const added = rows.filter((row) => /GET \/(paper-boats|anchors)'/.test(row));

    expect(rows.filter((row) => !added.includes(row)).join('\n')).toBe(readFileSync(join(ROOT, MATRIX), 'utf8'));
    expect(added).toEqual([
      "  ['GET /paper-boats', [401, 401, 401, 401, 401, 401, 200, 401, 200], 'management'],",
      "  ['GET /anchors', [401, 401, 401, 401, 401, 401, 200, 401, 200], 'management'],",
    ]);
    // The row must match the permissions of the access class that a new controller has.
    const { standard, management, intern } = ACCESS.administration;
    expect([standard, management, intern]).toEqual(['unauthenticated', 'allow', 'unauthenticated']);
    expect(readFileSync(join(folder, 'src/operations/paper-boats/paper-boats.controller.ts'), 'utf8')).toContain(
      "@Access('administration', 'workspaces.read')",
    );
  });

  it(
    'writes code that passes the type check, the linter, the check of the rooms and the generated test',
    async () => {
      const group = 'src/operations/paper-boats';
      const spec = `${group}/paper-boats.wire.spec.ts`;
      writeFileSync(
        join(folder, 'tsconfig.group.json'),
        JSON.stringify({
          extends: './tsconfig.json',
          include: [group, 'src/operations/operations.ts', MATRIX, 'src/**/*.d.ts'],
        }),
      );

      const types = (): Promise<Run> =>
        runNode(folder, '--input-type=module', '--eval', CHECK, join(folder, 'tsconfig.group.json'));
      expect(await types()).toEqual(passes);
      expect(
        await run(folder, 'test/node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', group),
      ).toEqual(passes);
      expect(
        await run(
          folder,
          'test/node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
          '--config',
          '.dependency-cruiser.cjs',
          group,
          'src/operations/operations.ts',
        ),
      ).toEqual(passes);
      expect(
        await run(folder, 'node_modules/jest/bin/jest.js', '--config', jestConfig(folder), '--runTestsByPath', spec),
      ).toEqual(passes);
    },
    TIME_LIMIT,
  );

  it('writes files as Prettier formats them, however long the name of the group is', async () => {
    const tables = ['src/operations/operations.ts', MATRIX].map((path) => join(folder, path));
    const before = tables.map((path) => readFileSync(path, 'utf8'));
    const longest = 'the-harbour-dues-of-paper-boats-and-of-all-their-anchors';
    await generate(folder, longest);
    const groups = ['paper-boats', 'anchors', longest].map((name) => `src/operations/${name}`);
    const files = groups.flatMap((group) =>
      readdirSync(join(folder, group), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    );
    expect(files).toHaveLength(3 * 7);

    const prettier = createRequire(join(ROOT, 'test/package.json'))('prettier') as Prettier;
    const config = await prettier.resolveConfig(join(ROOT, MATRIX));
    const faults = [];
    for (const file of [...files, ...tables])
      if (!(await prettier.check(readFileSync(file, 'utf8'), { ...config, filepath: file }))) faults.push(file);

    expect(faults).toEqual([]);
    tables.forEach((path, index) => writeFileSync(path, before[index]!));
    rmSync(join(folder, groups[2]!), { recursive: true });
  });

  it('refuses a group that already exists, and does not change its files', async () => {
    const service = join(folder, 'src/operations/anchors/anchors.service.ts');
    writeFileSync(service, '// mine\n');

    const { output } = await generate(folder, 'anchors');

    expect(output).toContain('exists already');
    expect(readFileSync(service, 'utf8')).toBe('// mine\n');
  });

  it('refuses a name that does not consist of lower-case words joined by hyphens', async () => {
    const { output } = await generate(folder, '9lives');

    expect(output).toContain('lower-case words joined by hyphens');
    expect(modulesIn(tableOfContents())).toHaveLength(listedBefore.length + 2);
  });
});

/** The configuration of the project's own tests, without PostgreSQL, which a generated unit test does not need. */
function jestConfig(folder: string): string {
  return JSON.stringify({
    rootDir: folder,
    roots: [join(folder, 'src')],
    testRegex: '\\.spec\\.ts$',
    transform: {},
    testRunner: join(folder, 'test/support/jest/native-runner.mjs'),
  });
}

function modulesIn(text: string): string[] {
  const [, body = ''] = /OPERATIONS\b[^=]*= \[([^\]]*)\]/.exec(text) ?? [];
  return body
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}
