import { Body, Controller, Get, Module, Param, Patch, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiOperation, ApiProperty, ApiResponse, type OpenAPIObject } from '@nestjs/swagger';
import { Text } from '@vitrine/contracts';
import { Authenticated, Public } from '../access';
import { API_PREFIX } from '../public-host';
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
  @Answers(200, HarbourResource, 'One’s own.')
  own(): void {}

  @Post()
  @Authenticated({ scope: 'write' })
  @ApiOperation({ operationId: 'makeHarbour' })
  @Answers(201, HarbourResource, 'Made.')
  @ApiResponse({ status: 451 })
  make(@Body() _body: HarbourRequest): void {}

  @Post('own')
  @Authenticated({ session: true, guest: 'too', visitors: true })
  @ApiOperation({ operationId: 'makeOwnHarbour' })
  @Answers(201, HarbourResource, 'Made.')
  makeOwn(): void {}

  @Get('guest')
  @Authenticated({ guest: 'alone' })
  @ApiOperation({ operationId: 'listGuestHarbours' })
  @Answers(200, HarbourResource, 'A guest’s.')
  ofGuest(): void {}

  @Post('guest')
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

@Module({ controllers: [HarboursController] })
class HarboursModule {}

@Controller(`${API_PREFIX}/closed`)
class UnruledController {
  @Get()
  show(): void {}
}

@Module({ controllers: [UnruledController] })
class UnruledModule {}

const urls = { api: 'https://api.test/api/v1', upload: 'https://up.test/api/v1/media' };

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

  it('is OpenAPI 3.1 with paths below the base address, and the upload on its own', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual([
      '/harbours',
      '/harbours/guest',
      '/harbours/own',
      '/harbours/{slug}',
      '/media',
    ]);
    expect(document.servers?.[0]?.variables).toEqual({ base_url: { default: urls.api } });
    expect(operation('post', '/media').servers?.[0]?.variables).toEqual({
      upload_base_url: { default: 'https://up.test/api/v1' },
    });
  });

  it('derives the errors of each route from its rule, its path and what it takes', () => {
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

  it('says who may call: a route’s own rule before its controller’s', () => {
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
      description: expect.stringContaining('For moderators and admins.'),
    });
    expect(JSON.stringify(document)).not.toContain('x-access');
  });

  it('says in words which tokens will do, and in marks who else may come', () => {
    const said = (method: 'get' | 'post', path: string) => operation(method, path).description;
    expect(said('get', '/harbours/own')).toBe('Needs a session: an API token won’t do.');
    expect(said('post', '/harbours')).toBe('Needs a session, or an API token with the scope `write`.');
    expect(said('post', '/harbours/own')).toBe(
      'Needs a session or a guest’s token: an API token won’t do. The web site needs none to ask for a visitor.',
    );
    expect(said('get', '/harbours/guest')).toBe('Needs a guest’s token.');
    expect(said('post', '/harbours/guest')).toBe(
      'Needs a session, an API token with the scope `write`, or a guest’s token.',
    );
    expect(said('post', '/media')).toMatch(/an API token with the scope `upload`, or a ticket\.$/);
    expect(operation('get', '/harbours/guest')).toMatchObject({ 'x-guest': 'alone' });
    expect(operation('post', '/harbours/guest')).toMatchObject({ 'x-guest': 'too', 'x-scope': 'write' });
    expect(operation('post', '/media')).toMatchObject({ 'x-ticket': 'too' });
  });

  it('spells nullable as 3.1 does, and shortens names', () => {
    const { Harbour } = document.components?.schemas ?? {};
    expect(Harbour).toMatchObject({
      properties: {
        note: { type: ['string', 'null'] },
        near: { anyOf: [{ $ref: '#/components/schemas/Harbour' }, { type: 'null' }] },
      },
    });
    expect(JSON.stringify(document)).not.toMatch(/nullable|Resource"/);
  });

  it('gives every response its headers and every body an example', () => {
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

  it('lets a POST be repeated safely, and asks for no query', () => {
    const names = (method: 'post' | 'patch', path: string) => operation(method, path).parameters;
    expect(names('post', '/harbours')).toEqual([
      expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: false }),
    ]);
    expect(names('patch', '/harbours/{slug}')).toEqual([
      expect.objectContaining({ name: 'slug', in: 'path', required: true }),
      expect.objectContaining({ name: 'key', in: 'query', required: false }),
    ]);
  });

  it('is not made of a route that declares no rule', async () => {
    await expect(describeModule(UnruledModule)).rejects.toThrow(
      'get /closed declares neither @Public nor @Authenticated',
    );
  });
});
