import { getSchemaPath, type ApiResponseOptions } from '@nestjs/swagger';
import { jsonOrEvents } from '../../http/open-schema.js';

/** The response of a call that makes images. */
export const imagesOrEvents = (type: new () => object): ApiResponseOptions =>
  jsonOrEvents('The images, or a stream of server-sent events where asked for and the provider streams', {
    $ref: getSchemaPath(type),
  });
