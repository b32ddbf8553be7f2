import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../src/app.module.js';
import { Config } from '../../../src/config/config.js';
import { DatabaseUrls } from '../../../src/database/database-urls.js';
import { AdapterRegistry } from '../../../src/inference/adapter-registry.js';

/** A replica that only runs interns, until it is killed. */
const env = JSON.parse(process.argv[2]!) as Record<string, string>;
const config = Config.read({ LOG_LEVEL: 'silent', INTERN_RUNTIME: 'process', ...env });
await NestFactory.createApplicationContext(
  AppModule.register({
    config,
    urls: new DatabaseUrls(config.values.DATABASE_URL!),
    adapters: new AdapterRegistry({}),
  }),
  { logger: false },
);
process.stdout.write('working\n');
setInterval(() => undefined, 1_000);
