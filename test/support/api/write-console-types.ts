// Writes console/src/api/schema.d.ts, the types of the console's requests and responses, from the OpenAPI document of
// the source. It needs no database: in preview mode Nest creates no provider.
import { NestFactory } from '@nestjs/core';
import { writeFile } from 'node:fs/promises';
import openapiTypes, { astToString } from 'openapi-typescript';
import { AppModule } from '../../../src/app.module.js';
import { Config } from '../../../src/config/config.js';
import { DatabaseUrls } from '../../../src/database/database-urls.js';
import { API_PREFIX, OUTSIDE_API } from '../../../src/http/edge/configure-server.js';
import { buildOpenApi } from '../../../src/http/openapi/openapi.js';
import { liveAdapters } from '../../../src/live-adapters.js';

const HEADER = '// Written by `npm run console:types` from the OpenAPI document.\n\n';

const config = Config.read({ MASTER_KEY: 'a1'.repeat(32) });
const adapters = liveAdapters(config);
const urls = new DatabaseUrls('postgres://127.0.0.1/preview');
const app = await NestFactory.create(AppModule.register({ config, urls, adapters: adapters.registry }), {
  preview: true,
  logger: false,
});
app.setGlobalPrefix(API_PREFIX, { exclude: OUTSIDE_API });
const document = buildOpenApi(app, '/');
await adapters.close();
const types = await openapiTypes(document as Parameters<typeof openapiTypes>[0], {
  alphabetize: true,
  defaultNonNullable: false,
});
await writeFile('console/src/api/schema.d.ts', HEADER + astToString(types));
