import { join } from 'node:path';
import type { BootDocument } from './protocol.ts';
import type { ProxyClient } from './proxy-client.ts';
import { ASK_TOOL } from './tools/ask-tool.ts';
import { commandTool } from './tools/command-tool.ts';
import { ConfinedDisk } from './tools/confined-disk.ts';
import { fileTools } from './tools/file-tools.ts';
import { httpTool } from './tools/http-tool.ts';
import { memoryTools } from './tools/memory-tools.ts';
import { Arguments, ToolError, type PreparedCall, type AgentTool } from './tools/tool.ts';
import type { ToolCall } from './transcript-record.ts';

const OWN_FOLDER = '.intern';

/** The tools of an intern. */
export class Toolbox {
  readonly #tools: ReadonlyMap<string, AgentTool>;

  constructor({ runsCommands }: BootDocument, home: string, proxy: ProxyClient) {
    const tools = [
      httpTool(proxy),
      ...fileTools(new ConfinedDisk(home, OWN_FOLDER)),
      ...memoryTools(new ConfinedDisk(join(home, OWN_FOLDER))),
      ASK_TOOL,
      ...(runsCommands ? [commandTool(home)] : []),
    ];
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** The tool definitions for the request to the model. */
  get definitions(): readonly unknown[] {
    return [...this.#tools.values()].map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    }));
  }

  /** Throws a ToolError for an unknown tool or invalid arguments. */
  prepare(call: ToolCall): PreparedCall {
    const tool = this.#tools.get(call.name);
    if (!tool) throw new ToolError(`There is no tool named ${JSON.stringify(call.name)}`);
    return tool.prepare(new Arguments(call.arguments));
  }
}
