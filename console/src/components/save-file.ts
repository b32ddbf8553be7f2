/**
 * Downloads a file in the browser. Because of `download`, the browser saves the content and does not open it as a page.
 */
export function saveFile(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has started when the next task runs.
  setTimeout(() => URL.revokeObjectURL(address));
}
