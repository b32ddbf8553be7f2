const LEVELS: ReadonlySet<unknown> = new Set(['error', 'fatal']);
const MAX_LINE_CHARACTERS = 400;

/**
 * The lines of a JSON log that require action by the operator. Mistakes of callers are never logged at these levels.
 * Includes lines that are not JSON, because they bypassed the logger.
 */
export function errorLines(output: string): string[] {
  const isError = (line: string): boolean => {
    try {
      return LEVELS.has((JSON.parse(line) as { level?: unknown }).level);
    } catch {
      return true;
    }
  };
  return output
    .split('\n')
    .filter((line) => line.trim() !== '' && isError(line))
    .map((line) => line.slice(0, MAX_LINE_CHARACTERS));
}
