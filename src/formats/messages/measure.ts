import {
  emptyMeasure,
  hasCacheControl,
  measuring,
  positive,
  visitJson,
  visitMembers,
  visitRest,
  type ContentVisitor,
  type TextMeasure,
} from '../measure.js';
import { elementsIn, membersOf, type Members } from '../members.js';

/** Visits the parts of a request that a model reads. */
interface BlockVisitor extends ContentVisitor {
  /** The bytes of a text that only the vendor can read. */
  encrypted(text: string): void;
}

/** Members of a body that no model reads, and members that are visited separately. */
const UNREAD_MEMBERS = new Set([
  'cache_control',
  'container',
  'context_management',
  'diagnostics',
  'fallbacks',
  'inference_geo',
  'mcp_servers',
  'messages',
  'metadata',
  'model',
  'models',
  'plugins',
  'provider',
  'service_tier',
  'session_id',
  'speed',
  'stop_sequences',
  'system',
  'thinking',
  'trace',
  'user',
]);
/** Types of tools that the caller runs and the vendor describes to the model. A type is a name and a date. */
const DESCRIBED_TOOL = /^(?:bash|text_editor|computer|memory)_\d{8}$/;
/** Maximum size of the vendor's description of a tool that matches DESCRIBED_TOOL. */
const DESCRIPTION_BYTES = 8_192;

/** Measures a parsed body of `/messages` in one pass. Values of the wrong type count as text or not at all. */
export function measureMessages(body: Members): TextMeasure {
  const measure = emptyMeasure();
  const visitor = measuring(measure);
  visitBody(body, { ...visitor, encrypted: (text) => visitor.text(text) });
  const { messages, tools, max_tokens: limit, system } = body;
  const toolList = elementsIn(tools);
  measure.messages = elementsIn(messages).length + (system === undefined ? 0 : 1);
  measure.tools = toolList.length;
  for (const tool of toolList) {
    const { type } = membersOf(tool);
    if (type === undefined || type === null || type === 'custom') continue;
    if (typeof type === 'string' && DESCRIBED_TOOL.test(type)) measure.textBytes += DESCRIPTION_BYTES;
    else measure.readsUnmeasured = true;
  }
  measure.readsUnmeasured ||= elementsIn(body['mcp_servers']).length > 0;
  measure.writesCache = [body, system, messages, tools].some((part) => hasCacheControl(part));
  measure.maxOutputTokens = positive(limit);
  return measure;
}

/** Passes to a visitor everything that the model reads in a parsed body, except encrypted texts. */
export const visitMessages = (body: Members, visitor: ContentVisitor): void =>
  visitBody(body, { ...visitor, encrypted: () => undefined });

function visitBody(body: Members, visitor: BlockVisitor): void {
  const { messages, system } = body;
  visitContent(system, visitor);
  for (const message of elementsIn(messages)) visitMessage(membersOf(message), visitor);
  visitRest(body, UNREAD_MEMBERS, visitor);
}

function visitMessage({ content, ...rest }: Members, visitor: BlockVisitor): void {
  visitContent(content, visitor);
  for (const value of Object.values(rest)) visitJson(value, visitor);
}

function visitContent(content: unknown, visitor: BlockVisitor): void {
  if (typeof content === 'string') visitor.text(content);
  else if (Array.isArray(content)) for (const block of content) visitBlock(membersOf(block), visitor);
  else if (content !== undefined) visitJson(content, visitor);
}

function visitBlock(block: Members, visitor: BlockVisitor): void {
  switch (block['type']) {
    case 'image':
      return visitor.image();
    case 'document':
      return visitDocument(block, visitor);
    case 'tool_result':
    case 'search_result':
      visitContent(block['content'], visitor);
      return visitOthers(block, CONTENT, visitor);
    case 'thinking':
    case 'redacted_thinking': {
      const { signature, data } = block;
      for (const text of [signature, data]) if (typeof text === 'string') visitor.encrypted(text);
      return visitOthers(block, ENCRYPTED, visitor);
    }
    case 'text':
    case 'tool_use':
      return visitOthers(block, NONE, visitor);
    default:
      // Blocks of the vendor's own tools, and of unknown types, may represent more content than they contain.
      visitor.unmeasured();
      return visitOthers(block, NONE, visitor);
  }
}

const CONTENT = ['content'];
const ENCRYPTED = ['signature', 'data'];
const SOURCE = ['source'];
const NONE: readonly string[] = [];

/**
 * Visits the members of a block except those in `read`. Does not copy the block, because a copy takes longer than the
 * visit.
 */
function visitOthers(block: Members, read: readonly string[], visitor: BlockVisitor): void {
  const isOther = (name: string): boolean => name !== 'type' && name !== 'cache_control' && !read.includes(name);
  visitMembers(block, Object.keys(block).filter(isOther), visitor);
}

function visitDocument(block: Members, visitor: BlockVisitor): void {
  const { type, data, content } = membersOf(block['source']);
  if (type === 'text' && typeof data === 'string') visitor.text(data);
  else if (type === 'content') visitContent(content, visitor);
  else visitor.unmeasured();
  visitOthers(block, SOURCE, visitor);
}
