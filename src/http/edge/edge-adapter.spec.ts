import { Catch, Controller, Get, Module, Post, Req, UseFilters, type ExceptionFilter } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { isUuid } from '../../kernel/ids.js';
import { EdgeAdapter } from './edge-adapter.js';
import { FastPath } from './fast-path.decorator.js';

/** The properties of a request that handlers, guards and filters read, and the address that the proxy set. */
const seen = (request: Request): object => ({
  ip: request.ip,
  protocol: request.protocol,
  hostname: request.hostname,
  path: request.path.replace(/short|long/, ''),
  originalUrl: request.originalUrl.replace(/short|long/, ''),
  baseUrl: request.baseUrl,
  query: { ...request.query },
  params: { ...request.params },
  type: request.get('content-type'),
  hasResponse: request.res?.req === request,
  locals: { ...request.res?.locals },
});

@Catch()
class FailingFilter implements ExceptionFilter {
  catch(): never {
    throw new Error('the filter is broken');
  }
}

@Controller()
class Mirror {
  @Post('short')
  @FastPath()
  short(@Req() request: Request): object {
    return seen(request);
  }

  @Post('long')
  long(@Req() request: Request): object {
    return seen(request);
  }

  @Post('broken')
  @FastPath()
  broken(): void {
    throw new Error('broken');
  }

  @Post('lost')
  @FastPath()
  @UseFilters(FailingFilter)
  lost(): void {
    throw new Error('lost');
  }

  @Get('short')
  other(): string {
    return 'another method';
  }
}

@Module({ controllers: [Mirror] })
class MirrorModule {}

@Controller('things')
class WithParameter {
  @Post(':id')
  @FastPath()
  one(): void {}
}

@Module({ controllers: [WithParameter] })
class ParameterModule {}

@Controller('things')
class WithoutPost {
  @Get()
  @FastPath()
  list(): void {}
}

@Module({ controllers: [WithoutPost] })
class WithoutPostModule {}

const create = (module: new () => object, edge: EdgeAdapter): Promise<NestExpressApplication> =>
  NestFactory.create<NestExpressApplication>(module, edge, { logger: false, bodyParser: false, abortOnError: false });

describe('EdgeAdapter', () => {
  let app: NestExpressApplication;
  const edge = new EdgeAdapter();
  let origin: string;
  let layers = 0;
  beforeAll(async () => {
    app = await create(MirrorModule, edge);
    app.set('trust proxy', 'loopback').disable('x-powered-by');
    app.use((_: Request, __: Response, next: NextFunction) => {
      layers++;
      next();
    });
    await app.listen(0, '127.0.0.1');
    origin = await app.getUrl();
  });
  afterAll(() => app.close());
  beforeEach(() => (layers = 0));

  const post = (path: string): Promise<globalThis.Response> =>
    fetch(origin + path, {
      method: 'POST',
      headers: { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'content-type': 'text/plain' },
      body: 'x',
    });

  it('gives a handler on the fast path the same arguments as Express', async () => {
    const short = await post('/short');
    expect(layers).toBe(0);
    const long = await post('/long');
    expect(layers).toBe(1);
    const body = (await short.json()) as Record<string, unknown>;
    expect(body).toMatchObject({ ip: '203.0.113.9', protocol: 'https', hasResponse: true, path: '/' });
    expect(body).toEqual(await long.json());
    expect([...short.headers.keys()]).toEqual([...long.headers.keys()]);
  });

  it.each(['/short', '/long', '/broken', '/nothing'])('sends the request id in the response to %s', async (path) => {
    const id = '0190b5e5-7b1c-7000-8000-000000000001';
    const named = await fetch(origin + path, { method: 'POST', headers: { 'x-request-id': id } });
    expect(named.headers.get('x-request-id')).toBe(id);
    const unnamed = await fetch(origin + path, { method: 'POST', headers: { 'x-request-id': 'sk-secret' } });
    expect(isUuid(unnamed.headers.get('x-request-id')!)).toBe(true);
  });

  it.each([
    ['a query', '/short?a=1'],
    ['a slash at the end', '/short/'],
    ['upper-case letters', '/SHORT'],
  ])('leaves a path with %s to Express', async (_, path) => {
    expect((await post(path)).status).toBe(201);
    expect(layers).toBe(1);
  });

  it('leaves requests with other methods to Express', async () => {
    expect(await (await fetch(`${origin}/short`)).text()).toBe('another method');
    expect((await fetch(`${origin}/short`, { method: 'PUT' })).status).toBe(404);
    expect(layers).toBe(2);
  });

  it('serves exactly the marked POST routes on the fast path', () => {
    expect(edge.fastPaths).toEqual(['/short', '/broken', '/lost']);
    expect(() => edge.assertFastPathsRegistered(app.get(ModulesContainer))).not.toThrow();
  });

  it('includes the global prefix in the paths of marked routes', async () => {
    const prefixed = new EdgeAdapter();
    const other = await create(MirrorModule, prefixed);
    await other.setGlobalPrefix('api/v1').init();
    expect(prefixed.fastPaths).toEqual(['/api/v1/short', '/api/v1/broken', '/api/v1/lost']);
    await other.close();
  });

  it('does not start if a marked route has parameters', async () => {
    const other = await create(ParameterModule, new EdgeAdapter());
    await expect(other.listen(0, '127.0.0.1')).rejects.toThrow('a route with parameters: /things/:id');
    await other.close();
  });

  it('refuses a marked method that has no POST route', async () => {
    const other = new EdgeAdapter();
    const withoutPost = await create(WithoutPostModule, other);
    await withoutPost.init();
    const check = (): void => other.assertFastPathsRegistered(withoutPost.get(ModulesContainer));
    expect(check).toThrow('@FastPath(): WithoutPost.list has no POST route');
    await withoutPost.close();
  });

  it('closes the connection without a response if an exception filter throws', async () => {
    await expect(post('/lost')).rejects.toThrow('fetch failed');
    expect((await post('/short')).status).toBe(201);
  });

  it('passes errors of a handler on the fast path to the exception filters', async () => {
    const response = await post('/broken');
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ statusCode: 500, message: 'Internal server error' });
    expect(layers).toBe(0);
  });
});
