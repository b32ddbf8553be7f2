import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VARIABLES } from '../../src/config/variables.js';

const DOCKERFILE = readFileSync('docker/Dockerfile', 'utf8');
const packageJson = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
const instructions = DOCKERFILE.replaceAll('\\\n', ' ')
  .split('\n')
  .map((line) => line.trim());

/** Paths that an instruction copies from the build context, not from another stage. */
const copied = instructions
  .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
  .flatMap((line) => line.split(/\s+/).slice(1, -1));

function exitCodeOf(command: readonly string[], port: number): Promise<number> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command.slice(1), { env: { PORT: String(port) } }, () =>
      resolve(child.exitCode ?? -1),
    );
  });
}

describe('the container image', () => {
  it('copies only files that exist and that .dockerignore includes', () => {
    const letIn = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));

    expect(copied).toContain('src');
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
    expect(copied.filter((path) => !letIn.some((folder) => path === folder || path.startsWith(`${folder}/`)))).toEqual(
      [],
    );
  });

  it('runs the service as a user without root privileges', () => {
    const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));

    expect(lastStage).toContain('USER node');
  });

  it('starts the service with the flags of npm start', () => {
    const [, flags] = /node (.*) dist\/main\.js$/.exec(packageJson.scripts.start)!;
    const command = instructions.find((line) => line.startsWith('CMD '))!;

    expect(JSON.parse(command.slice(4))).toEqual(['node', ...flags!.split(' '), 'dist/main.js']);
    expect(flags).toContain('--disable-sigusr1');
  });

  it('takes its base from a build argument that has a public default', () => {
    const [base] = instructions.filter((line) => line.startsWith('ARG NODE_IMAGE='));

    expect(base).toMatch(/^ARG NODE_IMAGE=node:\d+-/);
    expect(
      instructions
        .filter((line) => line.startsWith('FROM '))
        .every((line) => /^FROM (\$\{NODE_IMAGE\}|dependencies) AS \w+$/.test(line)),
    ).toBe(true);
  });

  describe('has a health check', () => {
    const line = instructions.find((instruction) => instruction.startsWith('HEALTHCHECK')) ?? '';
    const command = JSON.parse(line.slice(line.indexOf('['))) as string[];
    let server: Server;
    let status = 200;
    let asked: string | undefined;

    beforeAll(async () => {
      server = createServer((request, response) => {
        asked = request.url;
        response.writeHead(status).end();
      });
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
    });

    afterAll(() => new Promise((resolve) => server.close(resolve)));

    it.each([
      [200, 0],
      [503, 1],
    ])('that requests /healthz: for the status %i, the command exits with %i', async (answer, code) => {
      status = answer;

      expect(await exitCodeOf(command, (server.address() as AddressInfo).port)).toBe(code);
      expect(asked).toBe('/healthz');
    });

    it('whose command exits with 1 if no server listens on the port', async () => {
      expect(await exitCodeOf(command, 1)).toBe(1);
    });
  });
});

describe('the compose file', () => {
  const service = /\n {2}gatehouse:\n([^]*?)\n\n/.exec(readFileSync('docker/compose.yaml', 'utf8'))![1]!;
  const block = (name: string): string => new RegExp(`^ {4}${name}:\\n((?: {6,}.*\\n?)+)`, 'm').exec(service)![1]!;
  const environment = new Map(
    [...block('environment').matchAll(/^ {6}([A-Z0-9_]+):(?: (.*))?$/gm)].map(([, name, value]) => [name!, value]),
  );

  it('passes every variable of the configuration to the service, and no other variable', () => {
    expect([...environment.keys()].toSorted()).toEqual(Object.keys(VARIABLES).toSorted());
  });

  it('sets the variables of the container itself, and passes all others unchanged', () => {
    const fixed = [...environment].filter(([, value]) => value !== undefined);

    expect(fixed.map(([name]) => name)).toEqual(['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'PUBLIC_BASE_URL']);
    expect(DOCKERFILE).toMatch(/HOST=0\.0\.0\.0 .*\n +PORT=3000 .*\n +DATA_DIR=\/data .*\n/);
    expect([environment.get('PORT'), environment.get('HOST'), environment.get('DATA_DIR')]).toEqual([
      '"3000"',
      '"0.0.0.0"',
      '/data',
    ]);
  });

  it('passes the credentials of vendors by the env file, because their names come from the catalogue', () => {
    // Versions before 2.24 do not support mappings in env_file.
    expect(readFileSync('docker/compose.yaml', 'utf8').split('\n', 1)[0]).toContain('Docker Compose 2.24 or later');
    expect(block('env_file')).toBe('      - path: ../.env\n        required: false\n');
  });

  it('gives the service a read-only root without capabilities, a /tmp in memory and a volume for its data', () => {
    expect(service).toMatch(/^ {4}read_only: true$/m);
    expect(service).toMatch(/^ {4}cap_drop: \[ALL\]$/m);
    expect(block('security_opt')).toBe('      - no-new-privileges:true\n');
    expect(block('tmpfs')).toBe('      - /tmp\n');
    expect(block('volumes')).toBe('      - data:/data\n');
    expect(service).toMatch(/^ {4}init: true$/m);
  });

  it('gives the service more time to stop than the service can need', () => {
    const [, seconds] = /^ {4}stop_grace_period: (\d+)s$/m.exec(service)!;
    const [, delay] = /^ +SHUTDOWN_DELAY_MS=(\d+)$/m.exec(DOCKERFILE)!;
    expect(Number(delay)).toBe(5_000);
    expect(Number(seconds) * 1_000).toBeGreaterThan(Number(delay) + Number(VARIABLES.SHUTDOWN_TIMEOUT_MS.default));
  });
});
