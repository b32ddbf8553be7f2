/** Facts about a body that cannot be computed quickly from the parsed object. */
export interface BodyFacts {
  /** Whether a member `__proto__` was removed from the body. */
  readonly hadProto: boolean;
  /** The body without members that change prototypes; undefined if it had none. These bytes may be forwarded. */
  readonly bytes?: Buffer;
  /**
   * Names of the body's members; set only if the body has more than MAX_OBJECT_MEMBERS members. The set is incomplete,
   * because the parser stops adding names when the set has more names than any DTO has members.
   */
  readonly names?: ReadonlySet<string>;
  /** Members of the body that contain, at any depth, an object of more than MAX_OBJECT_MEMBERS members. */
  readonly wideMembers?: ReadonlySet<string>;
}

const NONE: BodyFacts = { hadProto: false };
const known = new WeakMap<object, BodyFacts>();

/** Call it only for bodies with unusual facts, because every entry of a WeakMap costs time in garbage collection. */
export const noteFacts = (body: object, facts: BodyFacts): void => void known.set(body, facts);

export const factsOf = (body: object): BodyFacts => known.get(body) ?? NONE;
