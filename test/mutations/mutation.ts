/** A fault that is inserted into the source, to check whether a test fails. */
export interface Mutation {
  /** The name of the fault, in lower-case words with dashes. Unique. */
  readonly name: string;
  /** The path of the source file from the root. */
  readonly file: string;
  /** The text to replace. Must occur exactly once in the file. */
  readonly text: string;
  readonly replacement: string;
  /** Paths of test files or folders from the root. At least one of their tests must fail with the fault. */
  readonly tests: readonly string[];
  /** The reason why no test fails with the fault. Absent = a test fails. */
  readonly missed?: string;
}
