import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const DOCKERFILE = readFileSync('docker/Dockerfile', 'utf8');
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
  it('copies only what exists and what .dockerignore lets in', () => {
    const letIn = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));

    expect(copied).toContain('src');
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
    expect(copied.filter((path) => !letIn.includes(path))).toEqual([]);
  });

  it('runs as an ordinary user in its last stage', () => {
    const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));

    expect(lastStage).toContain('USER node');
  });

  describe('its health check', () => {
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
    ])('asks /healthz: %i exits with %i', async (answer, code) => {
      status = answer;

      expect(await exitCodeOf(command, (server.address() as AddressInfo).port)).toBe(code);
      expect(asked).toBe('/healthz');
    });

    it('exits with 1 where nothing listens', async () => {
      expect(await exitCodeOf(command, 1)).toBe(1);
    });
  });
});
