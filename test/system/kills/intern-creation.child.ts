import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../src/app.module.js';
import { Config } from '../../../src/config/config.js';
import { DatabaseUrls } from '../../../src/database/database-urls.js';
import { AdapterRegistry } from '../../../src/inference/adapter-registry.js';
import { CreationWitness, InternCreation, type CreationStep } from '../../../src/interns/intern-creation.js';
import type { Actor, NewIntern } from '../../../src/interns/intern-record.js';

/** The first argument of this process. */
export interface CreationOrder {
  readonly databaseUrl: string;
  readonly masterKey: string;
  readonly dataDir: string;
  readonly actor: Actor;
  readonly request: NewIntern;
  /** The process kills itself by SIGKILL immediately after this step. */
  readonly dieAfter: CreationStep;
}

const order = JSON.parse(process.argv[2]!) as CreationOrder;
const config = Config.read({
  DATABASE_URL: order.databaseUrl,
  MASTER_KEY: order.masterKey,
  DATA_DIR: order.dataDir,
  LOG_LEVEL: 'silent',
  INTERN_RUNTIME: 'none',
});
const app = await NestFactory.createApplicationContext(
  AppModule.register({ config, urls: new DatabaseUrls(order.databaseUrl), adapters: new AdapterRegistry({}) }),
  { logger: false },
);
app.get(CreationWitness, { strict: false }).after = async (step) => {
  if (step === order.dieAfter) process.kill(process.pid, 'SIGKILL');
};
await app.get(InternCreation, { strict: false }).create(order.actor, order.request, 'the-key', 0);
