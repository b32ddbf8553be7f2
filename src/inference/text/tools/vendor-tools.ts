import type { TextFormat } from '../../../formats/vendor-text.js';

/**
 * How a type of tool is treated on the platform's credential. `caller`: sent, because the caller runs it. `group`: it
 * contains functions. `search`: the vendor searches the web; sent if the endpoint has a price for it. `free`: the
 * vendor runs it and charges only tokens. `refused`: not sent.
 */
export type ToolTreatment = 'caller' | 'group' | 'search' | 'free' | 'refused';

interface VendorTool {
  /** In lower case. A trailing `_*` means a date of eight digits. */
  readonly types: readonly string[];
  readonly treatment: ToolTreatment;
  /** The reason, for the message of a refusal. */
  readonly why: string;
}

const SEARCH = 'each search has a separate price';
const CODE = 'the vendor charges for the container in which it runs';
const STORED = 'it reads what is stored in the account of the operator at the vendor';
const SERVER = 'the vendor connects to a server on behalf of the account of the operator';
const MODEL = 'it uses another model, at the prices of that model';
const BY_CALLER = 'the caller runs it';
const FINDS_TOOLS = 'it finds definitions that the request holds: the vendor charges tokens only';

/**
 * The tools in the documentation of each format and of vendors that use it. A type that is not listed is not sent.
 * `vendor-tools.spec.ts` compares the list with the type declarations of the vendors' SDKs.
 */
export const VENDOR_TOOLS: Readonly<Record<TextFormat, readonly VendorTool[]>> = {
  chat: [
    { types: ['function', 'custom'], treatment: 'caller', why: BY_CALLER },
    {
      types: [
        'web_search',
        'web_search_2025_08_26',
        'web_search_preview',
        'web_search_preview_2025_03_11',
        'browser_search',
        'live_search',
        'x_search',
        'builtin_function',
      ],
      treatment: 'refused',
      why: `${SEARCH}, which responses of this format do not count`,
    },
    { types: ['code_interpreter', 'code_execution', 'shell', 'openrouter:bash'], treatment: 'refused', why: CODE },
    { types: ['file_search', 'retrieval', 'collections_search'], treatment: 'refused', why: STORED },
    { types: ['mcp'], treatment: 'refused', why: SERVER },
  ],
  responses: [
    {
      types: ['function', 'custom', 'computer', 'computer_use', 'computer_use_preview', 'apply_patch', 'local_shell'],
      treatment: 'caller',
      why: BY_CALLER,
    },
    { types: ['namespace'], treatment: 'group', why: 'it holds functions that the caller runs' },
    { types: ['web_search', 'web_search_2025_08_26'], treatment: 'search', why: SEARCH },
    {
      types: ['web_search_preview', 'web_search_preview_2025_03_11'],
      treatment: 'refused',
      why: 'the price of a search depends on the model, send web_search',
    },
    { types: ['x_search', 'browser_search'], treatment: 'refused', why: SEARCH },
    { types: ['tool_search'], treatment: 'free', why: FINDS_TOOLS },
    {
      // A shell whose environment has the type `local` is sent, because the caller runs it (see vendor-use.ts).
      types: ['shell', 'code_interpreter', 'code_execution', 'programmatic_tool_calling'],
      treatment: 'refused',
      why: CODE,
    },
    { types: ['file_search', 'collections_search'], treatment: 'refused', why: STORED },
    { types: ['image_generation'], treatment: 'refused', why: MODEL },
    { types: ['mcp'], treatment: 'refused', why: SERVER },
  ],
  messages: [
    {
      types: [
        'custom',
        'function',
        ...['bash', 'text_editor', 'computer', 'memory', 'computer_toolset', 'browser_toolset'].flatMap((name) => [
          name,
          `${name}_*`,
        ]),
      ],
      treatment: 'caller',
      why: BY_CALLER,
    },
    {
      types: ['web_search_20250305', 'web_search_20260209', 'web_search_20260318'],
      treatment: 'search',
      why: SEARCH,
    },
    {
      types: ['bm25', 'regex'].flatMap((name) => [`tool_search_tool_${name}`, `tool_search_tool_${name}_*`]),
      treatment: 'free',
      why: FINDS_TOOLS,
    },
    { types: ['web_fetch_*'], treatment: 'refused', why: 'the number of pages that the vendor reads has no limit' },
    { types: ['code_execution_*'], treatment: 'refused', why: CODE },
    { types: ['advisor_*'], treatment: 'refused', why: MODEL },
    { types: ['mcp_toolset'], treatment: 'refused', why: SERVER },
  ],
};

const UNKNOWN = { treatment: 'refused', why: 'its price is not known here' } as const;
const DATE = /_\d{8}$/;

const ROWS = Object.fromEntries(
  Object.entries(VENDOR_TOOLS).map(([format, rows]) => [
    format,
    new Map(rows.flatMap((row) => row.types.map((type) => [type, row] as const))),
  ]),
) as unknown as Readonly<Record<TextFormat, ReadonlyMap<string, VendorTool>>>;

/** Finds the treatment by the type of a tool, ignoring case. */
export function treatmentOf(format: TextFormat, type: string): Pick<VendorTool, 'treatment' | 'why'> {
  const name = type.trim().toLowerCase();
  return ROWS[format].get(name) ?? ROWS[format].get(name.replace(DATE, '_*')) ?? UNKNOWN;
}
