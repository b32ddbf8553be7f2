import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';

/** Documents a route that answers with a PreparedAnswer: its entity tag, and 304 where the caller has that state already. */
export const Revalidates = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({ name: 'If-None-Match', required: false, description: 'ETag of an earlier answer' }),
    ApiResponse({ status: 304, description: 'Not modified since the answer with that ETag' }),
  );
