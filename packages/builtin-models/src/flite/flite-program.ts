// Worker threads load this file, so the rules in synthesis.worker.ts apply to it.
import { WASI } from 'node:wasi';
import { WasiMemoryFiles } from './wasi-memory-files.ts';

/** About 17 minutes of 16-bit audio at 16 kHz. The length of a piece of text is limited, so no piece needs as much. */
const MAX_WAV_BYTES = 32 * 1024 * 1024;
/** An instance with more memory is not reused. The usual size is 22 MB. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
const WAV_HEADER_BYTES = 44;

/**
 * Runs Flite's command line once for each text. The WebAssembly instance is reused, and its whole memory is restored
 * before each run. The output is therefore the same as from a new instance, and the memory has no text of an earlier
 * run. Restoring takes 1 ms; a new instance takes 7 ms. After a run that ended abnormally (by a trap or an exit), the
 * instance must not be used again, because its stack pointer is not part of the memory. The thread must then be ended,
 * because the garbage collector frees the memory of instances late and new instances could accumulate gigabytes.
 */
export class FliteProgram {
  /** Whether the instance must not run again. */
  isSpent = false;
  private readonly instance: WebAssembly.Instance;
  private readonly memory: WebAssembly.Memory;
  /** The memory before the first run. */
  private readonly pristine: Uint8Array;
  /** The system functions of the current run. An instance keeps its imports, which look up a function at each call. */
  private functions: Readonly<Record<string, (...args: never[]) => unknown>> = {};

  constructor(code: WebAssembly.Module) {
    const imports: WebAssembly.ModuleImports = {};
    for (const { module, name } of WebAssembly.Module.imports(code)) {
      if (module === 'wasi_snapshot_preview1') imports[name] = (...args: never[]) => this.functions[name]!(...args);
    }
    this.instance = new WebAssembly.Instance(code, { wasi_snapshot_preview1: imports });
    this.memory = this.instance.exports['memory'] as WebAssembly.Memory;
    this.pristine = new Uint8Array(this.memory.buffer).slice();
  }

  /**
   * Returns the samples and their rate; no samples if Flite can pronounce nothing of the text. Throws if Flite fails.
   */
  speak(text: string, voice: string, durationStretch: number): { samples: Int16Array; hz: number } {
    this.isSpent = true;
    const files = new WasiMemoryFiles(
      '/s',
      { name: 't', content: new TextEncoder().encode(text) },
      { name: 'w', maxBytes: MAX_WAV_BYTES },
      () => this.memory.buffer,
    );
    const wasi = new WASI({
      version: 'preview1',
      // Pass the text as a file, not as an argument, so that no part of it is read as an option.
      args: ['flite', '-voice', voice, '--setf', `duration_stretch=${durationStretch}`, '-f', '/s/t', '-o', '/s/w'],
      env: {},
    });
    this.functions = { ...(wasi.wasiImport as typeof this.functions), ...files.imports(), proc_exit: refuseExit };
    this.restore();
    wasi.start(this.instance);
    this.isSpent = this.memory.buffer.byteLength > MAX_KEPT_BYTES;
    return readWav(files.written());
  }

  private restore(): void {
    const bytes = new Uint8Array(this.memory.buffer);
    bytes.set(this.pristine);
    bytes.fill(0, this.pristine.length);
  }
}

/** Flite returns from main on success and calls exit only on failure. */
function refuseExit(code: number): never {
  throw new Error(`flite exited with code ${code}`);
}

function readWav(wav: Uint8Array): { samples: Int16Array; hz: number } {
  if (wav.length < WAV_HEADER_BYTES) throw new Error('flite wrote no audio');
  const hz = new DataView(wav.buffer, wav.byteOffset).getUint32(24, true);
  const samples = new Int16Array(wav.slice(WAV_HEADER_BYTES, wav.length - (wav.length % 2)).buffer);
  return { samples, hz };
}
