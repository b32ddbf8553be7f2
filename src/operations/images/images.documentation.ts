import { getSchemaPath, type ApiResponseOptions } from '@nestjs/swagger';
import {
  ENDS_WITH_DONE,
  eventsOf,
  INTEGER,
  members,
  reference,
  STRING,
  typedEvent,
} from '../../http/openapi/event-schema.js';
import { jsonOrEvents } from '../../http/openapi/open-schema.js';
import type { ImageOperation } from './images.wire.js';

const NULL = { type: 'null' };

const eventsOfImages = (operation: ImageOperation): { schema: object } =>
  eventsOf(
    {
      oneOf: [
        typedEvent([`${operation}.partial_image`], { partial_image_index: INTEGER, b64_json: STRING }),
        typedEvent([`${operation}.text_chunk`], { text: STRING }, { phase: STRING }),
        typedEvent(
          [`${operation}.completed`],
          { b64_json: STRING, created: INTEGER },
          { media_type: STRING, usage: reference('ImageUsageResponse') },
        ),
        typedEvent(['error'], { error: members({ message: STRING, code: STRING, param: NULL, type: STRING }) }),
      ],
    },
    `Each image has a \`completed\` event; the last one has \`usage\`. ${ENDS_WITH_DONE}`,
  );

/** Documents the response of a call that generates images. */
export const imagesOrEvents = (
  type: new () => object,
  operation: ImageOperation = 'image_generation',
): ApiResponseOptions =>
  jsonOrEvents(
    'The images, or a stream of server-sent events if the request asks for one and the provider supports it',
    { $ref: getSchemaPath(type) },
    eventsOfImages(operation),
  );
