import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { newestRecords, SessionFiles } from './session-files.ts';

describe('a transcript', () => {
  it.each([
    ['record', 1_000],
    ['record that is longer than the part that is read', 5_000_000],
  ])('keeps the records that follow an incomplete %s', async (_, length) => {
    const folder = await temporaryFolder();
    const files = new SessionFiles(folder.path, 's');
    await files.writeState({ sessionId: 's', createdAt: 0, updatedAt: 0, turns: 0, permissions: {} });
    const file = await files.openTranscript();
    await file.appendFile(`{"type":"steer","text":"${'x'.repeat(length)}`);
    expect(await newestRecords(file)).toEqual([]);
    await file.appendFile('{"type":"steer","text":"next"}\n');
    expect(await newestRecords(file)).toEqual([{ type: 'steer', text: 'next' }]);
    await file.close();
    await folder.remove();
  });
});
