import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';

/**
 * Documents that a route returns a PreparedBody: it accepts If-None-Match, and returns 304 if the caller already has
 * the current version.
 */
export const Revalidates = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({ name: 'If-None-Match', required: false, description: 'ETag of an earlier response' }),
    ApiResponse({ status: 304, description: 'Not modified since the response with that ETag' }),
  );
