import type { ConfinedDisk } from './confined-disk.ts';
import { shown } from './shown.ts';
import { objectSchema, type AgentTool } from './tool.ts';

const MAX_PATH_CHARACTERS = 1_024;
const MAX_ENTRIES = 500;
const MAX_READ_BYTES = 65_536;
const MAX_WRITE_CHARACTERS = 1_000_000;
const MAX_OFFSET = 2 ** 40;

const PATH = { type: 'string', description: 'Relative to the root of the disk' };

/** The tools for the intern's own disk. */
export const fileTools = (disk: ConfinedDisk): readonly AgentTool[] => [
  {
    name: 'list_files',
    description: `Lists a folder of your disk, at most ${MAX_ENTRIES} entries.`,
    parameters: objectSchema({ path: PATH }),
    prepare: (args) => {
      const path = args.optionalText('path', MAX_PATH_CHARACTERS) ?? '';
      return {
        hasEffect: false,
        run: async () => {
          const entries = await disk.list(path, MAX_ENTRIES);
          const lines = entries.map(({ name, kind, bytes }) =>
            kind === 'file' ? `${name} (${bytes} bytes)` : kind === 'folder' ? `${name}/` : `${name} (not a file)`,
          );
          return lines.length === 0 ? 'The folder is empty.' : lines.join('\n');
        },
      };
    },
  },
  {
    name: 'read_file',
    description: `Reads a text file of your disk, at most ${MAX_READ_BYTES} bytes from an offset.`,
    parameters: objectSchema({ path: PATH, offset: { type: 'integer', description: 'In bytes; 0 if absent' } }, [
      'path',
    ]),
    prepare: (args) => {
      const path = args.text('path', MAX_PATH_CHARACTERS);
      const offset = args.integer('offset', { min: 0, max: MAX_OFFSET, absent: 0 });
      return {
        hasEffect: false,
        run: async () => {
          const { bytes, size } = await disk.read(path, offset, MAX_READ_BYTES);
          const end = offset + bytes.length;
          return bytes.toString('utf8') + (end < size ? `\n[${size} bytes in all: go on at offset ${end}]` : '');
        },
      };
    },
  },
  {
    name: 'write_file',
    description: 'Writes a text file of your disk: replaces it, or appends to it. Creates missing folders.',
    parameters: objectSchema({ path: PATH, content: { type: 'string' }, append: { type: 'boolean' } }, [
      'path',
      'content',
    ]),
    prepare: (args) => {
      const path = args.text('path', MAX_PATH_CHARACTERS);
      const content = args.text('content', MAX_WRITE_CHARACTERS);
      const append = args.flag('append');
      const action = append ? 'append to' : 'write';
      return {
        hasEffect: true,
        permission: {
          scope: 'write_file',
          covers: 'every change of a file on the disk of the intern',
          operation: `write_file: ${action} ${shown(path)}: ${shown(content)}`,
        },
        run: async () => {
          await (append ? disk.append(path, content) : disk.write(path, content));
          return 'Done.';
        },
      };
    },
  },
];
