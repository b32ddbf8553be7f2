/** The number of bytes per second of the recordings. */
export const WAV_BYTES_PER_SECOND = 8_000;
const HEADER_BYTES = 44;

/** Silence: 8 kHz, mono, 8 bit. `claimed`: the duration in its header, in seconds. */
export function aWav(seconds: number, claimed = seconds): Buffer {
  const samples = Math.round(seconds * WAV_BYTES_PER_SECOND);
  const claimedBytes = Math.round(claimed * WAV_BYTES_PER_SECOND);
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(claimedBytes + HEADER_BYTES - 8, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(WAV_BYTES_PER_SECOND, 24);
  header.writeUInt32LE(WAV_BYTES_PER_SECOND, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(claimedBytes, 40);
  return Buffer.concat([header, Buffer.alloc(samples, 128)]);
}

/** Bytes that are not audio of any format. */
export const notAudio = (bytes: number): Buffer => Buffer.alloc(bytes, 'no audio ');
