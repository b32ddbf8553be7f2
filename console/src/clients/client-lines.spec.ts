import { CLIENTS, type Lines } from './client-lines';

const TARGET = { origin: 'http://localhost:3000', key: 'sk-1', model: 'author/model-1' };

const linesOf = (name: string, target = TARGET): readonly Lines[] =>
  CLIENTS.find((client) => client.name === name)!.lines(target);

describe('the configuration of clients', () => {
  it.each(CLIENTS.map(({ name }) => [name]))('contains the address of the service and the key: %s', (name) => {
    const code = linesOf(name)
      .map((lines) => lines.code)
      .join('\n');
    expect(code).toMatch(/http:\/\/(localhost|host\.docker\.internal):3000\/api/);
    expect(code).toContain('sk-1');
    expect(code).not.toContain('undefined');
  });

  it('uses host.docker.internal for clients in containers if the service is on localhost', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      for (const name of ['Open WebUI', 'LibreChat'])
        expect(linesOf(name, { ...TARGET, origin: `http://${host}:3000` })[0]!.code).toContain(
          'http://host.docker.internal:3000/api/v1',
        );
    const elsewhere = linesOf('Open WebUI', { ...TARGET, origin: 'https://localhost.example.com' })[0]!;
    expect(elsewhere.code).toContain('https://localhost.example.com/api/v1');
  });
});
