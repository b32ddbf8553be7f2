// `npm run lines`: prints the number of source lines of each room, without tests, and lists the functions that are
// longer than 100 lines. Format the files first (`npm run format`), so that numbers are comparable.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const MAX_FUNCTION_LINES = 100;
const isTest = (path: string): boolean => /\.(spec|e2e-spec)\.tsx?$/.test(path);

const paths = execFileSync('git', ['ls-files', 'src', 'packages'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.tsx?$/.test(path) && !isTest(path));

const lines = new Map<string, number>();
const long: string[] = [];
for (const path of paths) {
  const text = readFileSync(path, 'utf8');
  const room = path.split('/').slice(0, 2).join('/');
  lines.set(room, (lines.get(room) ?? 0) + text.split('\n').length - 1);
  long.push(...longFunctions(path, text));
}

for (const [room, count] of [...lines].toSorted(([, a], [, b]) => b - a)) print(count, room);
for (const top of ['src', 'packages'])
  print(
    [...lines].reduce((sum, [room, count]) => (room.startsWith(`${top}/`) ? sum + count : sum), 0),
    top,
  );
for (const each of long) process.stdout.write(`longer than ${MAX_FUNCTION_LINES} lines: ${each}\n`);

function print(count: number, name: string): void {
  process.stdout.write(`${String(count).padStart(7)}  ${name}\n`);
}

/** Functions of the file that exceed the maximum number of lines, as `path: name`. */
function longFunctions(path: string, text: string): string[] {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const [from, to] = [node.getStart(tree), node.end].map((at) => tree.getLineAndCharacterOfPosition(at).line);
      if (to! - from! + 1 > MAX_FUNCTION_LINES) found.push(`${path}: ${node.name?.getText(tree) ?? 'a function'}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
