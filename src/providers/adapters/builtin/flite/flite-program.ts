// Loaded by worker threads: see synthesis.worker.ts for the rules.
import { extname } from 'node:path';
import { WASI } from 'node:wasi';

const { WasiMemoryFiles } = (await import(
  `./wasi-memory-files${extname(import.meta.url)}`
)) as typeof import('./wasi-memory-files.js');

/** Some 17 minutes at 16 kHz: far above what a bounded piece can need, far below what would hurt the service. */
const MAX_WAV_BYTES = 32 * 1024 * 1024;
/** An instance whose memory a hostile text made larger than this is not kept. An ordinary one has 22 MB. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
const WAV_HEADER_BYTES = 44;

interface LoadedProgram {
  readonly instance: WebAssembly.Instance;
  readonly memory: WebAssembly.Memory;
  /** The memory before the first run. */
  readonly pristine: Uint8Array;
}

/**
 * Flite's command line, run once for each text. Its instance is kept and its whole memory put back before each run:
 * the same bytes come out as from a fresh instance, nothing of one caller's text is left for the next, and it costs 1 ms
 * rather than 7 and leaves no 20 MB to the garbage collector. After a run that did not end normally (a trap, an exit) it
 * is thrown away, because its stack pointer is no part of the memory and would not be put back.
 */
export class FliteProgram {
  private readonly module: WebAssembly.Module;
  private kept: LoadedProgram | undefined;
  /** The system functions of the run under way; an instance is bound to its imports for life. */
  private functions: Readonly<Record<string, (...args: never[]) => unknown>> = {};

  constructor(module: WebAssembly.Module) {
    this.module = module;
  }

  /** The text's samples and their rate; none where it holds nothing that Flite can say. Throws when Flite fails. */
  speak(text: string, voice: string, durationStretch: number): { samples: Int16Array; hz: number } {
    const program = this.kept ?? this.load();
    this.kept = undefined;
    const files = new WasiMemoryFiles(
      '/s',
      { name: 't', content: new TextEncoder().encode(text) },
      { name: 'w', maxBytes: MAX_WAV_BYTES },
      () => program.memory.buffer,
    );
    const wasi = new WASI({
      version: 'preview1',
      // The text is a file's content, never an argument, so nothing in it can become an option.
      args: ['flite', '-voice', voice, '--setf', `duration_stretch=${durationStretch}`, '-f', '/s/t', '-o', '/s/w'],
      env: {},
    });
    this.functions = { ...(wasi.wasiImport as typeof this.functions), ...files.imports(), proc_exit: refuseExit };
    restore(program);
    wasi.start(program.instance);
    if (program.memory.buffer.byteLength <= MAX_KEPT_BYTES) this.kept = program;
    return readWav(files.written());
  }

  private load(): LoadedProgram {
    const imports: WebAssembly.ModuleImports = {};
    for (const { module, name } of WebAssembly.Module.imports(this.module)) {
      if (module === 'wasi_snapshot_preview1') imports[name] = (...args: never[]) => this.functions[name]!(...args);
    }
    const instance = new WebAssembly.Instance(this.module, { wasi_snapshot_preview1: imports });
    const memory = instance.exports['memory'] as WebAssembly.Memory;
    return { instance, memory, pristine: new Uint8Array(memory.buffer).slice() };
  }
}

function restore({ memory, pristine }: LoadedProgram): void {
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(pristine);
  bytes.fill(0, pristine.length);
}

/** Flite returns from main when it has spoken and exits only where it gives up. */
function refuseExit(code: number): never {
  throw new Error(`flite exited with code ${code}`);
}

function readWav(wav: Uint8Array): { samples: Int16Array; hz: number } {
  if (wav.length < WAV_HEADER_BYTES) throw new Error('flite wrote no audio');
  const hz = new DataView(wav.buffer, wav.byteOffset).getUint32(24, true);
  const samples = new Int16Array(wav.slice(WAV_HEADER_BYTES, wav.length - (wav.length % 2)).buffer);
  return { samples, hz };
}
