/** The destination of a streamed response. */
export interface ByteOutlet {
  /** False after the client has disconnected. */
  readonly isOpen: boolean;
  /** Undefined if more may be written at once; otherwise resolves when the client has caught up or disconnected. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** Writes the last bytes and ends the response. */
  end(bytes: Uint8Array): void;
  /** Closes the connection before the end of the response, so that the client detects the incomplete response. */
  cut(): void;
}
