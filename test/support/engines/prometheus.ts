import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { freePort } from '../services/free-port.js';
import { temporaryFolder } from '../temporary-folder.js';

/** Whether Debian's prometheus and its promtool are installed. If not, logs that tests are skipped. */
export function prometheusIsInstalled(): boolean {
  const installed = ['prometheus', 'promtool'].every((program) => spawnSync(program, ['--version']).status === 0);
  if (!installed) process.stderr.write('prometheus is not installed: the tests that need it are skipped\n');
  return installed;
}

/** The output of `promtool` for a text on its standard input. */
export function promtool(
  args: readonly string[],
  input = '',
): { readonly code: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}

export interface TestPrometheus {
  /** The value of an expression with a single series. */
  query(expression: string): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a Prometheus that scrapes the targets (host:port) every second. */
export async function startPrometheus(targets: readonly string[]): Promise<TestPrometheus> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const config = join(folder.path, 'prometheus.yml');
  const scrape = { job_name: 'gatehouse', static_configs: [{ targets }] };
  // JSON is valid YAML.
  await writeFile(config, JSON.stringify({ global: { scrape_interval: '1s' }, scrape_configs: [scrape] }));
  const server = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder.path, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore', cwd: folder.path },
  );
  const ended = once(server, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (!(await fetch(`${origin}/-/ready`)).ok) throw new Error('prometheus is not ready');
  }, 60_000);
  return {
    query: async (expression) => {
      const response = await fetch(`${origin}/api/v1/query?${new URLSearchParams({ query: expression }).toString()}`);
      const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } };
      if (data.result.length !== 1) throw new Error(`${expression} has ${data.result.length} series`);
      return Number(data.result[0]!.value[1]);
    },
    stop: async () => {
      server.kill('SIGTERM');
      await ended;
      await folder.remove();
    },
  };
}
