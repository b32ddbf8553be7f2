import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { factsOf } from '../body/json/body-facts.js';
import { MAX_OBJECT_MEMBERS } from '../body/json/json-limits.js';

type Dto = new () => object;
type Members = Record<string, unknown>;

/** TransformationType.PLAIN_TO_CLASS */
export const PLAIN_TO_CLASS = 0;
/** Longest name of a member that a message quotes, in UTF-16 code units. */
const MAX_QUOTED_NAME = 100;
/**
 * class-validator counts a surrogate pair as one character, and a variation selector as none. A text with more code
 * units than this multiple of its maximum length is refused without counting.
 */
const LENGTH_FACTOR = 4;

interface Field {
  readonly name: string;
  readonly isList: boolean;
  readonly maxItems: number | undefined;
  readonly maxLength: number | undefined;
  /** The shape of the member's object, or of the objects in its list. */
  readonly nested: DeclaredShape | undefined;
}

/**
 * The members that a DTO declares. Creates instances of the DTO from only these members of a body, so that the time
 * does not depend on other members. Refuses values that class-validator would need a long time to validate.
 */
export class DeclaredShape {
  readonly #fields: readonly Field[];
  readonly #names: ReadonlySet<string>;

  constructor(private readonly dto: Dto) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    this.#names = new Set(rules.map((rule) => rule.propertyName));
    this.#fields = [...this.#names].map((name): Field => {
      refuseTransformations(dto, name);
      const ofField = rules.filter((rule) => rule.propertyName === name);
      const limit = (rule: string): number | undefined =>
        ofField.find((each) => each.name === rule && !each.each)?.constraints?.[0] as number | undefined;
      const isNested = ofField.some((rule) => rule.type === 'nestedValidation');
      return {
        name,
        isList: ofField.some((rule) => rule.name === 'isArray'),
        maxItems: limit('arrayMaxSize'),
        maxLength: limit('maxLength'),
        nested: isNested ? new DeclaredShape(nestedDtoOf(dto, name)) : undefined,
      };
    });
  }

  /**
   * Creates the DTO from the declared members of a body, without validation. Other members are refused if `isStrict`,
   * otherwise ignored.
   */
  instanceOf(body: object, isStrict: boolean): object {
    const { hadProto, names } = factsOf(body);
    if (isStrict && hadProto) throw notDeclared('__proto__', '');
    if (isStrict && names) this.#refuseOthers(names, '');
    return this.#instanceOf(body, isStrict, '');
  }

  /**
   * Refuses a body if a member contains a very large object, because listing the members of that object takes too long.
   * Checks the declared members; with `readsOthers`, all members.
   */
  refuseWide(body: object, readsOthers = false): void {
    const { wideMembers, names } = factsOf(body);
    if (readsOthers && names) throw tooWide('The request body');
    if (wideMembers === undefined) return;
    for (const name of wideMembers)
      if (readsOthers || this.#names.has(name)) throw tooWide(name.slice(0, MAX_QUOTED_NAME));
  }

  #instanceOf(value: object, isStrict: boolean, path: string): object {
    if (isStrict) this.#refuseOthers(Object.keys(value), path);
    const instance = new this.dto() as Members;
    for (const field of this.#fields) {
      const given = (value as Members)[field.name];
      if (given !== undefined) instance[field.name] = this.#memberOf(field, given, isStrict, path);
    }
    return instance;
  }

  #memberOf(field: Field, given: unknown, isStrict: boolean, path: string): unknown {
    const { name, isList, nested } = field;
    refuseLong(field, given, path);
    if (!nested) return given;
    // If a list is sent instead of an object, class-validator would validate every element of the list.
    if (isList && isObject(given)) throw refused(path, `${name} must be an array`);
    if (!isList && Array.isArray(given)) throw refused(path, `${name} must be an object`);
    // class-validator refuses a value that is not an object.
    if (typeof given !== 'object' || given === null) return given;
    const below = path === '' ? name : `${path}.${name}`;
    if (!isList) return nested.#instanceOf(given, isStrict, below);
    return (given as unknown[]).map((element, index) => {
      if (!isObject(element)) throw refused(path, `each value in ${name} must be an object`);
      return nested.#instanceOf(element, isStrict, `${below}[${index}]`);
    });
  }

  #refuseOthers(names: Iterable<string>, path: string): void {
    for (const name of names) if (!this.#names.has(name)) throw notDeclared(name, path);
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const refused = (path: string, message: string): Error => invalidRequest(path === '' ? message : `${path}: ${message}`);
const tooWide = (what: string): Error =>
  invalidRequest(`${what} holds an object of more than ${MAX_OBJECT_MEMBERS} members`);
const notDeclared = (name: string, path: string): Error =>
  refused(path, `property ${name.slice(0, MAX_QUOTED_NAME)} should not exist`);

/**
 * Throws invalid_request if a list or a text is too long, with class-validator's message. Reads no element and no
 * character.
 */
function refuseLong({ name, maxItems, maxLength }: Field, given: unknown, path: string): void {
  if (maxItems !== undefined && Array.isArray(given) && given.length > maxItems)
    throw refused(path, `${name} must contain no more than ${maxItems} elements`);
  if (maxLength !== undefined && typeof given === 'string' && given.length > maxLength * LENGTH_FACTOR) {
    throw refused(path, `${name} must be shorter than or equal to ${maxLength} characters`);
  }
}

function nestedDtoOf(dto: Dto, name: string): Dto {
  const nested = defaultMetadataStorage.findTypeMetadata(dto, name)?.typeFunction?.() as Dto | undefined;
  if (!nested) throw new Error(`${dto.name}.${name} has @ValidateNested() and no @Type()`);
  return nested;
}

/**
 * Throws if a member has transformations. They would have no effect, because bodies bypass class-transformer, which
 * takes time quadratic in the number of members of an object.
 */
function refuseTransformations(dto: Dto, name: string): void {
  const storage = defaultMetadataStorage;
  const others = [
    ...storage.findTransformMetadatas(dto, name, PLAIN_TO_CLASS),
    ...storage.getExposedMetadatas(dto),
    ...storage.getExcludedMetadatas(dto),
  ];
  if (others.length > 0)
    throw new Error(`${dto.name}.${name} is transformed: the DTO of a body takes values as they are`);
}
