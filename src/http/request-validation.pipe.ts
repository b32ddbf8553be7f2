import { Injectable, SetMetadata, ValidationPipe, type ArgumentMetadata, type PipeTransform, type ValidationError } from '@nestjs/common';
import { invalidRequest } from '../kernel/errors.js';

const STRICT_METADATA = 'gatehouse:no-additional-fields';

/** On a DTO: fields it does not name are refused (wire-notes section 2). Elsewhere they are ignored. */
export const NoAdditionalFields = (): ClassDecorator => SetMetadata(STRICT_METADATA, true);

const OPTIONS = {
  transform: true,
  stopAtFirstError: true,
  validationError: { target: false, value: false },
  exceptionFactory: (errors: ValidationError[]) => invalidRequest(messageOf(errors)),
};

/** Validates DTOs; the message names the first wrong field and its rule. */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  readonly #lenient = new ValidationPipe(OPTIONS);
  readonly #strict = new ValidationPipe({ ...OPTIONS, whitelist: true, forbidNonWhitelisted: true });

  transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const strict = metadata.metatype !== undefined && Reflect.getMetadata(STRICT_METADATA, metadata.metatype) === true;
    return (strict ? this.#strict : this.#lenient).transform(value, metadata);
  }
}

/** The first message of a tree of validation errors, with the path of its field. */
export function messageOf(errors: readonly ValidationError[], path = ''): string {
  for (const error of errors) {
    const field = /^\d+$/.test(error.property) ? `${path}[${error.property}]` : path ? `${path}.${error.property}` : error.property;
    const [message] = Object.values(error.constraints ?? {});
    if (message) return path ? `${path}: ${message}` : message;
    if (error.children?.length) return messageOf(error.children, field);
  }
  return 'Invalid request';
}
