import {
  Injectable,
  SetMetadata,
  ValidationPipe,
  type ArgumentMetadata,
  type PipeTransform,
  type ValidationError,
} from '@nestjs/common';
import { AcceptedShape } from './accepted-shape.js';
import { invalidRequest } from '../kernel/errors.js';
import { hadProto } from './json-body.js';

const STRICT_METADATA = 'gatehouse:no-additional-fields';

/** On a DTO: fields it does not name are refused (wire-notes section 2). Elsewhere they are ignored. */
export const NoAdditionalFields = (): ClassDecorator => SetMetadata(STRICT_METADATA, true);

const OPTIONS = {
  transform: true,
  validationError: { target: false, value: false },
  exceptionFactory: (errors: ValidationError[]) => invalidRequest(messageOf(errors)),
};

/** Validates DTOs; the message names the first wrong field and its rule. */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  readonly #lenient = new ValidationPipe(OPTIONS);
  readonly #strict = new ValidationPipe({ ...OPTIONS, whitelist: true, forbidNonWhitelisted: true });
  readonly #shapes = new Map<unknown, AcceptedShape | undefined>();

  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { metatype, type } = metadata;
    // What our own parameter decorators give is no input.
    if (type === 'custom' && metadata.data === undefined) return value;
    const strict = metatype !== undefined && Reflect.getMetadata(STRICT_METADATA, metatype) === true;
    if (strict) {
      refuseInherited(value);
      return this.#strict.transform(value, metadata);
    }
    if (type === 'body' && typeof value === 'object' && value !== null && metatype !== undefined) {
      const dto = metatype as new () => object;
      if (this.#shapeOf(dto)?.takes(value)) return Object.assign(new dto(), value);
    }
    return this.#lenient.transform(value, metadata);
  }

  #shapeOf(dto: new () => object): AcceptedShape | undefined {
    if (!this.#shapes.has(dto)) this.#shapes.set(dto, AcceptedShape.of(dto));
    return this.#shapes.get(dto);
  }
}

/** Fields that class-validator takes for known ones, because every object inherits something of that name. */
function refuseInherited(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const inherited = hadProto(value) ? '__proto__' : inheritedNameIn(value);
  if (inherited !== undefined) throw invalidRequest(`property ${inherited} should not exist`);
}

function inheritedNameIn(value: object): string | undefined {
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (name in Object.prototype) return name;
    const below = typeof member === 'object' && member !== null ? inheritedNameIn(member) : undefined;
    if (below !== undefined) return below;
  }
  return undefined;
}

/** The first message of a tree of validation errors, with the path of its field. */
export function messageOf(errors: readonly ValidationError[], path = ''): string {
  for (const error of errors) {
    const field = /^\d+$/.test(error.property)
      ? `${path}[${error.property}]`
      : path
        ? `${path}.${error.property}`
        : error.property;
    const message = foremost(error.constraints ?? {});
    if (message) return path ? `${path}: ${message}` : message;
    if (error.children?.length) return messageOf(error.children, field);
  }
  return 'Invalid request';
}

/** What a value is not comes before what it is not enough of. */
function foremost(constraints: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(constraints);
  const name = names.find((each) => /^is[A-Z]/.test(each)) ?? names[0];
  return name === undefined ? undefined : constraints[name];
}
