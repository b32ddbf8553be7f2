import { ApiOperation } from '@nestjs/swagger';

/** Sets the id, the summary and the description of an operation in the OpenAPI document. */
export const Operation = (operationId: string, summary: string, description: string): MethodDecorator =>
  ApiOperation({ operationId, summary, description });
