import ts from 'typescript';
import { treatmentOf, VENDOR_TOOLS } from '../../src/inference/text/tools/vendor-tools.js';
import type { TextFormat } from '../../src/formats/vendor-text.js';

/** The types of tools in requests, from the declarations of the vendors' SDKs. */
const DECLARED: ReadonlyArray<readonly [TextFormat, file: string, union: string]> = [
  ['chat', 'openai/resources/chat/completions/completions.d.ts', 'ChatCompletionTool'],
  ['chat', '@openrouter/sdk/esm/models/chatfunctiontool.d.ts', 'ChatFunctionTool'],
  ['responses', 'openai/resources/responses/responses.d.ts', 'Tool'],
  ['responses', '@openrouter/sdk/esm/models/responsesrequest.d.ts', 'ResponsesRequestToolUnion'],
  ['messages', '@anthropic-ai/sdk/resources/messages/messages.d.ts', 'ToolUnion'],
  ['messages', '@anthropic-ai/sdk/resources/beta/messages/messages.d.ts', 'BetaToolUnion'],
  ['messages', '@openrouter/sdk/esm/models/messagesrequest.d.ts', 'MessagesRequestToolUnion'],
];
/** Tools of another gateway. No vendor supports them. */
const OF_GATEWAY = /^openrouter:/;

const pathOf = (file: string): string => `test/node_modules/${file}`;
const program = ts.createProgram(
  DECLARED.map(([, file]) => pathOf(file)),
  { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, skipLibCheck: true, noEmit: true, strict: true },
);
const checker = program.getTypeChecker();

/** The possible values of the member `type` in a declared union of tools. */
function typesOf(file: string, union: string): string[] {
  const source = program.getSourceFile(pathOf(file))!;
  const declaration = source.statements.find(
    (statement): statement is ts.TypeAliasDeclaration =>
      ts.isTypeAliasDeclaration(statement) && statement.name.text === union,
  );
  if (!declaration) throw new Error(`${file} declares no ${union}`);
  const declared = checker.getTypeAtLocation(declaration);
  const parts = declared.isUnion() ? declared.types : [declared];
  const found = parts.flatMap((part) => {
    const member = part.getProperty('type');
    if (!member) return [];
    const type = checker.getTypeOfSymbol(member);
    return (type.isUnion() ? type.types : [type]).flatMap((value) => (value.isStringLiteral() ? [value.value] : []));
  });
  return [...new Set(found)];
}

/** Whether the table has a row for the type. */
const isListed = (format: TextFormat, type: string): boolean =>
  VENDOR_TOOLS[format].some(({ types }) => types.includes(type) || types.includes(type.replace(/_\d{8}$/, '_*')));

describe('the table of the tools of vendors', () => {
  it.each(DECLARED)('lists every type of %s that %s declares', (format, file, union) => {
    const types = typesOf(file, union).filter((type) => !OF_GATEWAY.test(type));
    expect(types.length).toBeGreaterThan(0);
    expect(types.filter((type) => !isListed(format, type))).toEqual([]);
  });

  it('is compared with declared types that include the known types of OpenAI and Anthropic', () => {
    expect(typesOf('openai/resources/responses/responses.d.ts', 'Tool')).toEqual(
      expect.arrayContaining(['function', 'web_search', 'mcp', 'code_interpreter', 'namespace', 'tool_search']),
    );
    expect(typesOf('@anthropic-ai/sdk/resources/beta/messages/messages.d.ts', 'BetaToolUnion')).toEqual(
      expect.arrayContaining(['custom', 'web_search_20250305', 'code_execution_20250825', 'mcp_toolset']),
    );
  });

  it('has a reason in every row, and no type twice', () => {
    for (const rows of Object.values(VENDOR_TOOLS)) {
      const types = rows.flatMap((row) => row.types);
      expect(new Set(types).size).toBe(types.length);
      expect(rows.every(({ why }) => why !== '')).toBe(true);
    }
  });

  it.each<[TextFormat, string, string]>([
    ['responses', 'WEB_Search', 'search'],
    ['messages', 'Web_Search_20250305', 'search'],
    ['messages', 'BASH_20990101', 'caller'],
    ['messages', 'web_search_20990101', 'refused'],
    ['responses', 'openrouter:web_search', 'refused'],
    ['responses', 'something_new', 'refused'],
    ['chat', 'constructor', 'refused'],
  ])('treats %s %s as %s', (format, type, treatment) => {
    expect(treatmentOf(format, type).treatment).toBe(treatment);
  });
});
