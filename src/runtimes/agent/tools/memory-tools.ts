import type { ConfinedDisk } from './confined-disk.ts';
import { shown } from './shown.ts';
import { objectSchema, ToolError, type AgentTool } from './tool.ts';

const FILE = 'memory.md';
const MAX_NOTE_CHARACTERS = 4_000;
const MAX_MEMORY_BYTES = 65_536;

async function memoryOf(disk: ConfinedDisk): Promise<string> {
  try {
    return (await disk.read(FILE, 0, MAX_MEMORY_BYTES)).bytes.toString('utf8');
  } catch (error) {
    if (error instanceof ToolError) return '';
    throw error;
  }
}

/** A small memory that all sessions of the intern share. `disk` is the agent's own folder. */
export const memoryTools = (disk: ConfinedDisk): readonly AgentTool[] => [
  {
    name: 'remember',
    description: 'Adds a note to your memory, which all conversations share, or replaces the whole memory.',
    parameters: objectSchema({ note: { type: 'string' }, replace: { type: 'boolean' } }, ['note']),
    prepare: (args) => {
      const replace = args.flag('replace');
      const note = args.text('note', replace ? MAX_MEMORY_BYTES / 4 : MAX_NOTE_CHARACTERS);
      const action = replace ? 'replace the memory by' : 'add';
      return {
        hasEffect: true,
        permission: {
          scope: 'remember',
          covers: 'every change of the memory of the intern',
          operation: `remember: ${action} ${shown(note)}`,
        },
        run: async () => {
          const memory = (replace ? '' : await memoryOf(disk)) + `${note}\n`;
          if (Buffer.byteLength(memory) > MAX_MEMORY_BYTES)
            throw new ToolError('The memory is full: recall it, and replace it by a shorter one');
          await disk.write(FILE, memory);
          return 'Remembered.';
        },
      };
    },
  },
  {
    name: 'recall',
    description: 'Returns your memory.',
    parameters: objectSchema({}),
    prepare: () => ({ hasEffect: false, run: async () => (await memoryOf(disk)) || 'Your memory is empty.' }),
  },
];
