/** One fault that is put into the source, to see whether a test fails. */
export interface Mutation {
  /** What is wrong, in lower-case words with dashes; unique. */
  readonly name: string;
  /** The path of the source file from the root. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly text: string;
  readonly replacement: string;
  /** Paths of test files or folders from the root, at least one test of which fails with the fault. */
  readonly tests: readonly string[];
  /** Why no test fails with the fault; absent = one does. */
  readonly missed?: string;
}
