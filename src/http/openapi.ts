import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { API_PREFIX } from './configure-server.js';

/** The OpenAPI 3.1 document, generated from the code. */
export function buildOpenApi(app: INestApplication, baseUrl: string): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Gatehouse')
    .setDescription('A self-hosted AI gateway with accounts: one HTTP API in front of many model vendors.')
    .setVersion('1.0.0')
    .setOpenAPIVersion('3.1.0')
    .addServer(baseUrl)
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key' }, 'bearer')
    .build();
  return SwaggerModule.createDocument(app, config);
}

/** Serves the Swagger UI at /docs and the document at /api/v1/openapi.json, both public. */
export function serveOpenApi(app: INestApplication, document: OpenAPIObject): void {
  const json = JSON.stringify(document);
  SwaggerModule.setup('docs', app, document, {
    raw: false,
    customSiteTitle: 'Gatehouse API',
    swaggerOptions: { persistAuthorization: true, tryItOutEnabled: true },
  });
  app
    .getHttpAdapter()
    .get(`/${API_PREFIX}/openapi.json`, (_request: Request, response: Response) =>
      response.type('application/json').send(json),
    );
}
