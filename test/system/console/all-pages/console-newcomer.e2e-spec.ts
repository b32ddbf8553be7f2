import { join } from 'node:path';
import { describeInChromium } from '../../../support/console/console-stage.js';
import { firstChat } from '../../../support/console/newcomer.js';
import { startServiceProcess, type ServiceProcess } from '../../../support/services/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.js';

describeInChromium('a newcomer', () => {
  let folder: TemporaryFolder;
  let service: ServiceProcess | undefined;

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startServiceProcess({ DATA_DIR: join(folder.path, 'data') });
  }, 180_000);
  afterAll(async () => {
    service?.kill('SIGTERM');
    await service?.exited;
    await folder.remove();
  });

  it('opens the link of the first start, and gets a first reply with three clicks and one typed word', async () => {
    const [link] = /http:\/\/[^\s"]+#code=[\w-]+/.exec(service!.output())!;
    const { clicks, keystrokes, answer } = await firstChat(link);
    expect({ clicks, keystrokes }).toEqual({ clicks: 3, keystrokes: 'Hello'.length + 1 });
    expect(answer).toMatch(/Cost \$0\.00/);
  }, 120_000);
});
