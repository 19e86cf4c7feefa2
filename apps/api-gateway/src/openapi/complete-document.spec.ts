import { Body, Controller, Get, Module, Param, Patch, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiOperation, ApiProperty, ApiResponse, type OpenAPIObject } from '@nestjs/swagger';
import { Text } from '@vitrine/contracts/api';
import { API_PREFIX, Authenticated, Idempotency, IdempotentPost, Public } from '@vitrine/http';
import { Answers, AnswersPage } from './answers';
import { describeApi } from './describe-api';

class HarbourResource {
  @ApiProperty({ example: 'Lee' })
  name!: string;

  @ApiProperty({ type: String, nullable: true })
  note!: string | null;

  @ApiProperty({ type: () => HarbourResource, nullable: true, example: null })
  near!: HarbourResource | null;
}

class HarbourRequest {
  @Text({ required: true, min: 2, max: 100 })
  name!: string;
}

class HarbourQuery {
  @Text({ max: 100 })
  q?: string;
}

@Controller(`${API_PREFIX}/harbours`)
@Authenticated({ session: true })
class HarboursController {
  @Get()
  @Public()
  @ApiOperation({ operationId: 'listHarbours' })
  @AnswersPage(HarbourResource, 'Harbours.')
  list(@Query() _query: HarbourQuery): void {}

  @Get('own')
  @ApiOperation({ operationId: 'listOwnHarbours' })
  @Answers(200, HarbourResource, 'The caller’s own.')
  own(): void {}

  @IdempotentPost()
  @Authenticated({ scope: 'write' })
  @ApiOperation({ operationId: 'makeHarbour' })
  @Answers(201, HarbourResource, 'Made.')
  @ApiResponse({ status: 451 })
  make(@Body() _body: HarbourRequest): void {}

  @IdempotentPost('own')
  @Authenticated({ session: true, guest: 'too', visitors: true })
  @ApiOperation({ operationId: 'makeOwnHarbour' })
  @Answers(201, HarbourResource, 'Made.')
  makeOwn(): void {}

  @Get('guest')
  @Authenticated({ guest: 'alone' })
  @ApiOperation({ operationId: 'listGuestHarbours' })
  @Answers(200, HarbourResource, 'A guest’s.')
  ofGuest(): void {}

  @IdempotentPost('guest')
  @Authenticated({ scope: 'write', guest: 'too' })
  @ApiOperation({ operationId: 'makeGuestHarbour' })
  @Answers(201, HarbourResource, 'Made.')
  makeOfGuest(): void {}

  @Patch(':slug')
  @Authenticated({ scope: 'write', role: 'moderator' })
  @ApiOperation({ operationId: 'changeHarbour' })
  @Answers(200, HarbourResource, 'Changed.')
  change(@Param('slug') _slug: string, @Query('key') _key: string, @Body() _body: HarbourRequest): void {}
}

// The interceptor of POST routes needs it; no route is called.
@Module({ controllers: [HarboursController], providers: [{ provide: Idempotency, useValue: {} }] })
class HarboursModule {}

@Controller(`${API_PREFIX}/closed`)
class UnruledController {
  @Get()
  show(): void {}
}

@Module({ controllers: [UnruledController] })
class UnruledModule {}

@Controller(`${API_PREFIX}/once`)
class UnrepeatableController {
  @Post()
  @Public()
  make(): void {}
}

@Module({ controllers: [UnrepeatableController] })
class UnrepeatableModule {}

const urls = { api: 'https://api.test/api/v1', upload: 'https://up.test/api/v1/media', site: 'https://test' };

const describeModule = async (module: new () => object): Promise<OpenAPIObject> =>
  describeApi(await NestFactory.create(module, { preview: true, logger: false, abortOnError: false }), urls);

describe('the OpenAPI document', () => {
  let document: OpenAPIObject;
  beforeAll(async () => {
    document = await describeModule(HarboursModule);
  });

  const operation = (method: 'get' | 'post' | 'patch', path: string) => {
    const found = document.paths[path]?.[method];
    if (!found) throw new Error(`No ${method} ${path}`);
    return found;
  };
  const statuses = (method: 'get' | 'post' | 'patch', path: string) =>
    Object.keys(operation(method, path).responses).map(Number);

  it('is OpenAPI 3.1 with paths relative to the base address, and the upload on its own host', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual([
      '/harbours',
      '/harbours/guest',
      '/harbours/own',
      '/harbours/{slug}',
      '/media',
      '/media/url',
    ]);
    expect(document.servers).toEqual([{ url: urls.api, description: 'The API' }]);
    expect(document.info.contact).toEqual({ name: 'The operator of this site', url: urls.site });
    expect(operation('post', '/media').servers?.[0]?.url).toBe('https://up.test/api/v1');
  });

  it('derives the errors of each route from its rule, path, body and query', () => {
    expect(statuses('get', '/harbours')).toEqual([200, 401, 422, 429, 500, 503]);
    expect(statuses('get', '/harbours/own')).toEqual([200, 401, 403, 429, 500, 503]);
    expect(statuses('post', '/harbours')).toEqual([
      201, 400, 401, 403, 408, 409, 413, 415, 422, 429, 451, 500, 503,
    ]);
    expect(statuses('patch', '/harbours/{slug}')).toEqual([
      200, 400, 401, 403, 404, 408, 413, 415, 422, 429, 500, 503,
    ]);
    expect(operation('get', '/harbours').responses[422]).toEqual({
      $ref: '#/components/responses/InvalidFields',
    });
    expect(operation('post', '/harbours').responses[451]).toMatchObject({
      description: 'The file matches a banned hash.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Banned' } } },
    });
  });

  it('documents who may call; a route’s own rule outranks its controller’s', () => {
    expect(operation('get', '/harbours').security).toEqual([{}, { bearer: [] }]);
    expect(operation('post', '/harbours')).toMatchObject({ security: [{ bearer: [] }], 'x-scope': 'write' });
    expect(operation('post', '/harbours')).not.toHaveProperty('x-session-only');
    expect(operation('get', '/harbours/own')).toMatchObject({
      security: [{ bearer: [] }],
      'x-session-only': true,
    });
    expect(operation('patch', '/harbours/{slug}')).toMatchObject({
      'x-scope': 'write',
      'x-role': 'moderator',
      description: expect.stringContaining('Only moderators and admins may do this.'),
    });
    expect(JSON.stringify(document)).not.toContain('x-access');
  });

  it('documents accepted tokens in words, and guests, tickets and roles in extensions', () => {
    const said = (method: 'get' | 'post', path: string) => operation(method, path).description;
    expect(said('get', '/harbours/own')).toBe('Requires a session; API tokens are not accepted.');
    expect(said('post', '/harbours')).toBe('Requires a session, or an API token with the scope `write`.');
    expect(said('post', '/harbours/own')).toBe(
      'Requires a session or a guest token; API tokens are not accepted. The website may request it for a visitor without a token.',
    );
    expect(said('get', '/harbours/guest')).toBe('Requires a guest token.');
    expect(said('post', '/harbours/guest')).toBe(
      'Requires a session, an API token with the scope `write`, or a guest token.',
    );
    expect(said('post', '/media')).toMatch(/an API token with the scope `upload`, or an upload ticket\.$/);
    expect(operation('get', '/harbours/guest')).toMatchObject({ 'x-guest': 'alone' });
    expect(operation('post', '/harbours/guest')).toMatchObject({ 'x-guest': 'too', 'x-scope': 'write' });
    expect(operation('post', '/media')).toMatchObject({ 'x-ticket': 'too' });
  });

  it('writes nullable types as 3.1 does, and shortens names', () => {
    const { Harbour } = document.components?.schemas ?? {};
    expect(Harbour).toMatchObject({
      properties: {
        note: { type: ['string', 'null'] },
        near: { anyOf: [{ $ref: '#/components/schemas/Harbour' }, { type: 'null' }] },
      },
    });
    expect(JSON.stringify(document)).not.toMatch(/nullable|Resource"/);
  });

  it('gives headers to every response and an example to every body', () => {
    const made = operation('post', '/harbours').responses[201] as { headers: object; content: object };
    expect(Object.keys(made.headers)).toEqual([
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'X-Request-Id',
      'Location',
      'Idempotent-Replayed',
    ]);
    const { TooManyRequests } = document.components?.responses ?? {};
    expect(TooManyRequests).toMatchObject({
      headers: { 'Retry-After': {}, 'X-RateLimit-Reset': {} },
      content: { 'application/json': { example: { message: 'Too Many Attempts.' } } },
    });
    expect(made.content).toMatchObject({
      'application/json': { example: { name: 'Lee', note: 'text', near: null } },
    });
    expect(operation('post', '/harbours').requestBody).toMatchObject({
      content: { 'application/json': { example: { name: 'harbour' } } },
    });
  });

  it('documents Idempotency-Key on POST routes, and no required query parameter', () => {
    const names = (method: 'post' | 'patch', path: string) => operation(method, path).parameters;
    expect(names('post', '/harbours')).toEqual([
      expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: false }),
    ]);
    expect(names('patch', '/harbours/{slug}')).toEqual([
      expect.objectContaining({ name: 'slug', in: 'path', required: true }),
      expect.objectContaining({ name: 'key', in: 'query', required: false }),
    ]);
  });

  it('throws for a route without an access rule', async () => {
    await expect(describeModule(UnruledModule)).rejects.toThrow(
      'get /closed declares neither @Public nor @Authenticated',
    );
  });

  it('throws for a POST route without idempotency', async () => {
    await expect(describeModule(UnrepeatableModule)).rejects.toThrow(
      'post /once is not declared with @IdempotentPost',
    );
  });

  it('names the answers that wrap a resource or a list of them', () => {
    const answerOf = (path: string) => {
      const response = document.paths[path]?.get?.responses['200'];
      return response && 'content' in response ? response.content?.['application/json']?.schema : undefined;
    };
    expect(answerOf('/harbours')).toEqual({ $ref: '#/components/schemas/HarbourList' });
    expect(document.components?.schemas?.['HarbourList']).toMatchObject({
      required: ['data', 'links', 'meta'],
      properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Harbour' } } },
    });
  });
});
