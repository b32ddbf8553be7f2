import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';

/** Documents a route that returns a PreparedBody: its ETag, and 304 if the caller already has that version. */
export const Revalidates = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({ name: 'If-None-Match', required: false, description: 'ETag of an earlier response' }),
    ApiResponse({ status: 304, description: 'Not modified since the response with that ETag' }),
  );
