import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Prints the names of the packages that the service's files load, without starting it. */
const PROGRAM = `
import { registerHooks } from 'node:module';
const packages = new Set();
registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
    if (name) packages.add(name);
    return nextLoad(url, context);
  },
});
await import('./dev/typescript-loader.ts');
await import('./src/start.ts');
await import('./src/serve.ts');
console.log(JSON.stringify([...packages]));
`;
/** Packages that only some installations or calls need. */
const ON_DEMAND = [
  /^@(ai-sdk|aws-sdk|duckdb|peculiar)\//,
  /^@opentelemetry\/(otlp|sdk|resources)/,
  /^(dockerode|file-type|fontkit|gpt-tokenizer|ioredis|music-metadata|pino-pretty|sharp|wasm-media-encoders)$/,
];

describe('the start of the service', () => {
  it('loads no package that only some calls or installations need', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      cwd: ROOT,
      maxBuffer: 1_048_576,
    });
    const packages = JSON.parse(stdout) as string[];

    expect(packages).toEqual(expect.arrayContaining(['@nestjs/core', 'pg']));
    expect(packages.filter((name) => ON_DEMAND.some((pattern) => pattern.test(name)))).toEqual([]);
  }, 60_000);
});
