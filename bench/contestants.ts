import { values } from './main-options.js';
import { SERVER_CORE, type Server } from './processes.js';
import { run, startService, words, type Bench } from './service-process.js';

export interface Contestants {
  readonly bare: Server;
  readonly service: Server;
}

export async function contestants(bench: Bench): Promise<Contestants> {
  const bare = await run(
    [...words(values['proxy-flags']), 'bench/servers/bare-proxy.ts'],
    { VENDOR_URL: bench.vendor.url },
    SERVER_CORE,
  );
  const flags = values['node-flags'] === undefined ? undefined : words(values['node-flags']);
  const service = await startService(bench, words(values['service-env']), { flags, profileDir: values.profile });
  return { bare, service };
}

export async function stop({ bare, service }: Contestants): Promise<void> {
  await service.stop();
  await bare.stop();
}
