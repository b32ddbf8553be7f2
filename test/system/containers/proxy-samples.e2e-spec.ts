import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VARIABLES } from '../../../src/config/variables.js';
import { documentedSample } from '../../support/deploy/documented-sample.js';
import { prometheusIsInstalled, promtool } from '../../support/engines/prometheus.js';
import { nginxIsInstalled, startNginx, type TestNginx } from '../../support/engines/nginx.js';
import {
  goodEvents,
  startScriptedChatVendor,
  type ScriptedChatVendor,
} from '../../support/vendors/scripted-chat-vendor.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../support/services/test-service.js';

const UPLOAD_BYTES = 60 * 1024 * 1024;

const whenPrometheus = prometheusIsInstalled() ? it : it.skip;

const whenNginx = nginxIsInstalled() ? describe : describe.skip;

whenNginx('docs/operations/running.md: the sample for nginx', () => {
  let sample: string;
  let vendor: ScriptedChatVendor;
  let service: TestService;
  let nginx: TestNginx;
  beforeAll(async () => {
    sample = await documentedSample('docs/operations/running.md', 'nginx');
    vendor = await startScriptedChatVendor();
    service = await startTestService({
      env: {
        TRUST_PROXY: 'loopback',

        OPENAI_API_KEY: 'sk-of-the-vendor',
        OPENAI_BASE_URL: vendor.baseUrl,
      },
    });
    nginx = await startNginx(sample, service.origin);
  });
  afterAll(async () => {
    await nginx.stop();
    await service.stop();
    await vendor.close();
  });

  it('passes on the events of a stream without delay', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    vendor.script({ events: goodEvents(['first ', 'last']), holdAfter: 2, released });
    const response = await fetch(`${nginx.origin}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'openai/gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    // The vendor sends the rest only after the first text has arrived here.
    while (!text.includes('first ')) text += (await reader.read()).value ?? '';
    expect(text).not.toContain('last');
    release();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += piece.value;
    expect(text.trimEnd()).toMatch(/last[^]*data: \[DONE\]$/);
  });

  it('accepts an upload of 60 MB', async () => {
    const body = new FormData();
    body.set('file', new Blob([Buffer.alloc(UPLOAD_BYTES, 'x')]), 'large.txt');
    const answer = await fetch(`${nginx.origin}/api/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_MANAGEMENT_KEY}` },
      body,
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { size_bytes: UPLOAD_BYTES }]);
  }, 120_000);

  it('waits longer than the service waits for a vendor', () => {
    for (const name of ['proxy_read_timeout', 'proxy_send_timeout']) {
      const [, seconds] = new RegExp(`${name} (\\d+)s;`).exec(sample)!;
      expect(Number(seconds) * 1_000).toBeGreaterThan(2 * Number(VARIABLES.UPSTREAM_TIMEOUT_MS.default));
    }
  });
});

whenPrometheus('docs/operations/monitoring.md: promtool accepts the sample for several replicas', async () => {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'prometheus.yml');
  await writeFile(file, await documentedSample('docs/operations/monitoring.md', 'yaml'));
  expect(promtool(['check', 'config', file])).toMatchObject({ code: 0 });
  await folder.remove();
});
